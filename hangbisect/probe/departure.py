"""How the program leaves: by its entry script's end or before it, and where its last words go.

Nothing here is asked before the end, so it costs nothing until then.
"""

import io
import os
import sys

from . import wire
from .recorder import Recorder
from .statements import Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType, TracebackType
    from typing import Any

    from .ring import Ring

_RETURN_VALUE = 83
"""The instruction that ends a script, in 3.8 to 3.11."""
_REGULAR = 0o100000
_TYPE = 0o170000
# Bound once: a program may put functions of its own in their place.
_fstat, _stat, _getpid = os.fstat, os.stat, os.getpid


def uncaught(recorder: Recorder, args: "tuple[Any, ...]") -> None:
    """Note the type of an uncaught exception, where it was raised, and where its text goes."""
    thread = recorder.thread()
    if thread is not None and thread.ring is not None:
        hook, kind, _, trace = args
        thread.ring.word(wire.TEXT_TO, _text_to(hook))
        file, line = _innermost(trace)
        thread.ring.exception(getattr(kind, "__name__", "?"), file, line, thread.tid)


def left_import(recorder: Recorder, error: "BaseException | None") -> None:
    """Note that SystemExit left the outermost import: where it was raised, and while what."""
    file, line = _innermost(getattr(error, "__traceback__", None))
    if error is not None and file:
        handled = "" if error.__context__ is None else type(error.__context__).__name__
        recorder.event(wire.EXIT, handled, file, line)


def _innermost(trace: "TracebackType | None") -> "tuple[str, int]":
    """Give the file and line where an exception was raised; ("", 0) without a traceback."""
    if trace is None:
        return "", 0
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename, trace.tb_lineno or 0


def replaces(recorder: Recorder, program: str) -> None:
    """Note that another program is about to take this process over, if it can be executed."""
    thread = recorder.thread()
    if thread is not None and thread.ring is not None:
        thread.ring.word(wire.BECOMES, thread.ring.intern(program))


def watch_end(recorder: Recorder, where: Where) -> None:
    """Look, when all else at exit is done, where the entry script's frame has stopped.

    For 3.8 to 3.11: from 3.12 on an event tells of it. Ours is registered before all others, so it
    is called last and changes the order of none.
    """
    import atexit

    def ended() -> None:
        frame, where.frame = where.frame, None
        ring = recorder.ring
        try:
            if frame is not None and ring is not None and ring.pid == _getpid():
                _over(ring, frame)
        except BaseException as error:
            recorder.check(error)

    atexit.register(ended)


def _over(ring: "Ring", frame: "FrameType") -> None:
    line = frame.f_lineno or 0
    returned = frame.f_code.co_code[frame.f_lasti] == _RETURN_VALUE
    ring.word(wire.ENTRY_LINE, line & wire.MASK)
    ring.word(wire.ENTRY_END, wire.RETURNED if returned else wire.LEFT)


def _text_to(hook: object) -> int:
    """Say where Python's own hook writes to. No code of the program's is asked."""
    if hook is not sys.__excepthook__:
        return wire.TO_HOOK
    stream: "Any" = sys.stderr
    if stream is None:
        return wire.TO_CLOSED
    if type(stream) is not io.TextIOWrapper:
        return wire.TO_UNKNOWN
    try:
        raw = stream.buffer
        if type(raw) is io.BufferedWriter:  # not with -u
            raw = raw.raw
        return _leads_to(raw.fileno()) if type(raw) is io.FileIO else wire.TO_UNKNOWN
    except (OSError, ValueError):
        return wire.TO_CLOSED


def _leads_to(descriptor: int) -> int:
    status = _fstat(descriptor)
    if status.st_mode & _TYPE == _REGULAR:
        return wire.TO_STREAM if status.st_nlink else wire.TO_DELETED
    return wire.TO_NULL if _same(status, _stat(os.devnull)) else wire.TO_STREAM


def _same(one: os.stat_result, other: os.stat_result) -> bool:
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
