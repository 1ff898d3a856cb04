"""An object of `threading`, `queue` or `concurrent.futures`: any other thread may signal it."""

from hangbisect.model import Frame, Thing, Thread
from hangbisect.model._struct import Data
from hangbisect.waits._calls import futex_evidence
from hangbisect.waits._futexes import is_private_futex
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._python import innermost, is_frame, local_of, place, self_of, type_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import others_words

ORDER = 100


class Act(Data, frozen=True):
    """A function that waits, in words."""

    file: str
    functions: tuple[str, ...]
    kind: str
    says: str
    could: str
    """What another thread would have to do."""
    type: str = ""
    """The class that it must be a method of; "" if the names say enough."""


SEMAPHORE = ("acquire", "__enter__")
FUTURES = ("result", "exception", "wait", "as_completed", "__next__")
ACTS = (
    Act("queue.py", ("get",), "queue", "waits for an item of a queue", "fill"),
    Act("queue.py", ("put",), "queue", "waits for room in a full queue", "empty"),
    Act("queue.py", ("join",), "queue", "waits until a queue's tasks are done", "finish"),
    Act("concurrent/futures/_base.py", FUTURES, "future", "waits for a future", "complete"),
    Act("threading.py", ("_enter", "_wait"), "barrier", "waits at a barrier", "reach"),
    Act("threading.py", ("wait",), "barrier", "waits at a barrier", "reach", "Barrier"),
    Act("threading.py", SEMAPHORE, "semaphore", "waits for a semaphore", "release", "Semaphore"),
    Act("threading.py", ("wait",), "event", "waits for an event", "set", "Event"),
    Act("threading.py", ("start",), "event", "waits until a new thread has started", "confirm"),
    Act("threading.py", ("wait", "wait_for"), "condition", "waits for a condition", "notify"),
)
"""A queue waits in its condition, so the outermost of the functions at a stack's end counts."""


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise the outermost standard function in which the thread's stack ends."""
    if not is_private_futex(thread):
        return None
    found = _waiting(thread)
    if found is None:
        return None
    act, frame = found
    identity = self_of(frame)
    others = index.others(thread)
    return Wait(
        thread=ref_of(thread),
        kind=act.kind,
        on=Thing(kind=act.kind, id=f"{identity:#x}" if identity else _caller(thread, frame)),
        says=f"{act.says}, {others_words(others, index, act.could)}",
        wakers=others,
        evidence=futex_evidence(thread),
    )


def _waiting(thread: Thread) -> tuple[Act, Frame] | None:
    """Return the outermost of the frames at the stack's end that wait, and what it does."""
    found = None
    for frame in innermost(thread):
        act = next((act for act in ACTS if _fits(act, frame, nested=found is not None)), None)
        if act is None:
            break
        found = act, frame
    return found


def _fits(act: Act, frame: Frame, *, nested: bool) -> bool:
    """Tell whether a frame is such a wait; a `wait` around another one is an Event's."""
    if not is_frame(frame, act.file, *act.functions):
        return False
    own = type_of(local_of(frame, "self"))
    if act.type == "Event" and not own:
        return nested
    return act.type in ("", own, own.removeprefix("Bounded"))


def _caller(thread: Thread, frame: Frame) -> str:
    """Say where the wait was asked for, as the object's name."""
    at = thread.frames.index(frame)
    return place(thread.frames[at - 1]) if at else place(frame)
