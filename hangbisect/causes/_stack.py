"""Read a native stack: which library blocks, and whether the loader is running its constructor.

Only the file of a frame is asked for, never a symbol: C libraries are shipped without theirs.
"""

import re
from collections.abc import Sequence
from os.path import basename

from hangbisect.causes._rows import function_of, is_frame_of
from hangbisect.model import Process, Thread
from hangbisect.model._struct import Data

LOADER = re.compile(r"^(ld-linux|ld-musl|ld-\d|ld64|ld\.so)")
RUNTIME = re.compile(
    r"^(ld-linux|ld-musl|ld-\d|ld64|ld\.so|libc[.-]|libpthread|libdl[.-]|librt[.-]|libm[.-]"
    r"|libstdc\+\+|libc\+\+|libgcc_s|libffi|linux-vdso|\[)"
)
"""Libraries through which everybody waits: they are never the ones to blame."""
INTERPRETER = re.compile(r"^(libpython|python[\d.]*t?$)")


class Guilty(Data, frozen=True, kw_only=True):
    """The library that a native wait belongs to."""

    library: str
    """Absolute path: whose constructor runs, else whose call waits."""
    constructor: bool
    """The loader called it: it is being loaded, or unloaded."""
    sure: bool
    """Read from an unwound stack, not from words that look like return addresses."""


def guilty(thread: Thread, process: Process | None) -> Guilty | None:
    """Name the library that blocks a thread, None if the interpreter waits or it is not known.

    From the innermost frame outwards the C library and the loader are passed over. If the
    interpreter comes first, Python itself waits. If there is a loader frame between the library
    found and the interpreter, then the library next to that frame runs its constructor.
    """
    own = process.executable if process else ""
    stack = _up_to_interpreter(layers(thread), own)
    blamed = [i for i, path in enumerate(stack) if not _is_runtime(path)]
    if not blamed:
        return None
    loader = next((i for i in range(blamed[0], len(stack)) if _is_loader(stack[i])), None)
    inner = blamed[0] if loader is None else max(i for i in blamed if i < loader)
    return Guilty(library=stack[inner], constructor=loader is not None, sure=bool(thread.native))


def layers(thread: Thread) -> tuple[str, ...]:
    """Return the libraries on a thread's native stack, innermost first."""
    if thread.native:
        return tuple(frame.library for frame in reversed(thread.native))
    return thread.libraries


def creating(thread: Thread) -> bool:
    """Tell whether the innermost Python frame is importlib's, loading an extension module.

    Both the library's constructors and its PyInit run there.
    """
    inner = [function_of(frame) for frame in thread.frames[-2:] if "importlib" in frame.file]
    return "create_module" in inner


def loads_library(thread: Thread) -> bool:
    """Tell whether the innermost Python code asks for a library: an extension module or ctypes."""
    if creating(thread):
        return True
    last = thread.frames[-1] if thread.frames else None
    return bool(
        last and function_of(last) == "__init__" and is_frame_of(last, "ctypes/__init__.py")
    )


def _up_to_interpreter(stack: Sequence[str], executable: str) -> tuple[str, ...]:
    for i, path in enumerate(stack):
        if _is_interpreter(path, executable):
            return tuple(stack[:i])
    return tuple(stack)


def _is_interpreter(path: str, executable: str) -> bool:
    name = basename(path)
    return path == executable or "/lib-dynload/" in path or bool(INTERPRETER.match(name))


def _is_loader(path: str) -> bool:
    return bool(LOADER.match(basename(path)))


def _is_runtime(path: str) -> bool:
    return not path.startswith("/") or bool(RUNTIME.match(basename(path)))
