"""Names in stacks that pystack could not read: found, and completed from another reading. Pure.

pystack reads names beyond ASCII at the wrong place (bytes of memory come out), and leaves out the
frames of files and functions whose names go beyond Latin-1.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from hangbisect.model import Frame, Thread

_REPLACED = "\ufffd"


def is_garbled(name: str) -> bool:
    """Tell whether this is no name: memory, or bytes that no encoding gave a meaning."""
    return not name.isprintable() or _REPLACED in name


def has_garbled(threads: Sequence[Thread]) -> bool:
    """Tell whether a name in these stacks could not be read."""
    return any(is_garbled(frame.file + frame.function) for t in threads for frame in t.frames)


def completed(thread: Thread, others: Sequence[Thread]) -> Thread:
    """Add names and frames from the other reading, if it shows this stack and more.

    Below Python 3.11 the other reading may not tell which thread is which: then only one may fit.
    """
    named = [other for other in others if other.tid == thread.tid]
    stacks = [_joined(thread.frames, o.frames) for o in named or others if o.tid in (0, thread.tid)]
    fitting = [frames for frames in stacks if frames]
    if len(fitting) != 1 or thread.frames in fitting:
        return thread
    return replace(thread, frames=fitting[0])


def without_garbled(thread: Thread) -> Thread:
    """Leave empty what could not be read."""
    return replace(thread, frames=tuple(map(_blank, thread.frames)))


def _joined(own: Sequence[Frame], other: Sequence[Frame]) -> tuple[Frame, ...]:
    """Put our frames in their places among the others; () if one has no place there."""
    left = list(own)
    found = []
    for frame in other:
        if left and _is_same(left[0], frame):
            found.append(_filled(left.pop(0), frame))
        else:
            found.append(frame)
    return () if left else tuple(found)


def _filled(mine: Frame, other: Frame) -> Frame:
    """Add the names that are garbled here, and the strings that were not read."""
    known = {local.name for local in mine.locals}
    more = tuple(x for x in other.locals if x.text is not None and x.name not in known)
    named = other if is_garbled(mine.file + mine.function) else mine
    return replace(mine, file=named.file, function=named.function, locals=(*mine.locals, *more))


def _is_same(mine: Frame, other: Frame) -> bool:
    return (
        mine.line == other.line
        and (mine.function == other.function or is_garbled(mine.function))
        and (_bare(mine) == _bare(other) or is_garbled(mine.file))
    )


def _bare(frame: Frame) -> str:
    return frame.file.rpartition("/")[2]


def _blank(frame: Frame) -> Frame:
    if not is_garbled(frame.file + frame.function):
        return frame
    file = "" if is_garbled(frame.file) else frame.file
    return replace(frame, file=file, function="" if is_garbled(frame.function) else frame.function)
