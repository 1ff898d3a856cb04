"""What Python frames tell of a wait: which function of the standard library, on which object."""

from collections.abc import Iterator
from os.path import basename

from hangbisect.model import Frame, Local, Thread
from hangbisect.model.code import standard_path

IMPORTLIB = "<frozen importlib._bootstrap>"


def function_of(frame: Frame) -> str:
    """Return the bare name of a frame's function: "join" for "Thread.join"."""
    return frame.function.rpartition(".")[2]


def is_frame(frame: Frame, file: str, *functions: str) -> bool:
    """Tell whether a frame is one of these functions of a module of the standard library.

    Args:
        frame: The frame.
        file: Its file's path within the standard library.
        functions: Names of functions.
    """
    return standard_path(frame.file) == file and function_of(frame) in functions


def local_of(frame: Frame, name: str) -> Local | None:
    """Return a local variable of a frame that was kept."""
    return next((local for local in frame.locals if local.name == name), None)


def self_of(frame: Frame) -> int | None:
    """Return the identity of a method's object."""
    found = local_of(frame, "self")
    return found.address if found else None


def type_of(local: Local | None) -> str:
    """Return the bare name of a variable's type: "Event" for "threading.Event"."""
    return local.type.rpartition(".")[2] if local else ""


def is_import_frame(frame: Frame) -> bool:
    """Tell whether a frame is the import machinery's own."""
    return frame.file == IMPORTLIB or standard_path(frame.file) == "importlib/_bootstrap.py"


def innermost(thread: Thread) -> Iterator[Frame]:
    """Yield a thread's frames from the innermost outwards."""
    return reversed(thread.frames)


def place(frame: Frame) -> str:
    """Say where a frame stands: "run.py:3"."""
    return f"{basename(frame.file)}:{frame.line}"
