"""Stacks read by pystack: the one file that knows it.

Without native frames nothing stops and reading works in every state. With them pystack stops the
process by ptrace for a few tenths of a second, so the caller must have seen that it can be stopped.
"""

import logging
from pathlib import Path

import msgspec

from hangbisect.host.pythons import thread_states
from hangbisect.model import Frame, NativeFrame, Thread
from hangbisect.model.thread import Gil
from hangbisect.watch._digest import Shown, digest
from hangbisect.watch._locals import keep
from hangbisect.watch.stack_error import StackError

try:
    from pystack.engine import (
        CoreFileAnalyzer,
        NativeReportingMode,
        get_process_threads,
        get_process_threads_for_core,
    )
    from pystack.errors import PystackError
    from pystack.types import PyFrame, PyThread
except ImportError:  # no wheel for this platform
    is_installed = False
else:
    is_installed = True
    # It reports through logging, which would print on the user's terminal where nobody set it up.
    logging.getLogger("pystack").addHandler(logging.NullHandler())

_TRIES = 3
"""A process that runs while it is read may show a list in the middle of a change."""


def read(
    pid: int, *, native: bool, with_locals: bool = True, key: bytes | None = None
) -> tuple[Thread, ...]:
    """Read the threads that Python knows, and with `native` all threads of the process.

    Args:
        pid: The process.
        native: Read native frames; stops the process.
        with_locals: Read local variables; a string that pystack cannot decode makes all of it fail.
        key: Digest each stack with its locals under this key.

    Raises:
        StackError: After a few tries nothing could be read.
    """
    if not is_installed:
        raise StackError("pystack is not installed")
    mode = NativeReportingMode.ALL if native else NativeReportingMode.OFF
    reason = ""
    for _ in range(_TRIES):
        try:
            threads = get_process_threads(
                pid, stop_process=native, native_mode=mode, locals=with_locals
            )
        except (PystackError, RuntimeError, OSError, ValueError) as error:
            reason = str(error).removeprefix("Engine error: ")
        else:
            found = tuple(_thread(pid, thread, key) for thread in threads if thread.tid)
            return at_home(found, frozenset(thread_states(pid)))
    raise StackError(reason)


def read_core(pid: int, core: Path, executable: Path) -> tuple[Thread, ...]:
    """Read the threads of a process that is gone from its core file, with native frames.

    Raises:
        StackError: It cannot be read.
    """
    if not is_installed:
        raise StackError("pystack is not installed")
    try:
        threads = get_process_threads_for_core(
            core, executable, native_mode=NativeReportingMode.ALL, locals=False
        )
        found = tuple(_thread(pid, thread, None) for thread in threads)
        paths = [one.path for one in CoreFileAnalyzer(str(core)).extract_maps() if one.path]
    except (PystackError, RuntimeError, OSError, ValueError) as error:
        raise StackError(str(error).removeprefix("Engine error: ")) from error
    return tuple(_with_paths(thread, {path.name: str(path) for path in paths}) for thread in found)


def _with_paths(thread: Thread, paths: dict[str, str]) -> Thread:
    """Name the libraries of native frames by their paths, where a mapping has that name."""
    replace = msgspec.structs.replace
    native = (replace(f, library=paths.get(f.library, f.library)) for f in thread.native)
    return replace(thread, native=tuple(native))


def at_home(threads: tuple[Thread, ...], own: frozenset[int]) -> tuple[Thread, ...]:
    """Keep the threads that the process really has, told by the kernel's list of their ids.

    A child of vfork, or of a fork that Python did not see, still has the threads of its parent:
    its one thread is then the one that holds the GIL there, or the only one.
    """
    found = tuple(thread for thread in threads if thread.tid in own)
    if found or len(own) != 1:
        return found
    candidates = [thread for thread in threads if thread.gil == "holds"] or threads
    if len(candidates) != 1:
        return ()
    return (msgspec.structs.replace(candidates[0], tid=min(own)),)


def _thread(pid: int, thread: "PyThread", key: bytes | None) -> Thread:
    return Thread(
        pid=pid,
        tid=thread.tid,
        gil=_gil(thread),
        frames=tuple(_frame(frame) for frame in thread.frames),
        digest=None if key is None else digest(map(_shown, thread.frames), key),
        native=tuple(
            NativeFrame(
                library=frame.library,
                symbol="" if frame.symbol.strip("?") == "" else frame.symbol,
                address=frame.address,
            )
            for frame in thread.native_frames
        ),
    )


def _gil(thread: "PyThread") -> Gil | None:
    if thread.holds_the_gil > 0:
        return "holds"
    return "waits" if thread.gil_status == "Waiting for the GIL" else None


def _frame(frame: "PyFrame") -> Frame:
    function, file, line, variables = _shown(frame)
    return Frame(function=function, file=file, line=line, locals=keep(variables, file))


def _shown(frame: "PyFrame") -> Shown:
    code = frame.code
    return code.scope, code.filename, code.location.lineno, {**frame.arguments, **frame.locals}
