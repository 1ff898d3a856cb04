"""Name the Python object that a thread waits for, and what would have to be done to it."""

from hangbisect.causes._rows import function_of, is_frame_of, ref_of, standard_tail
from hangbisect.model import Thread
from hangbisect.model._struct import Data
from hangbisect.waits import Reading


class Awaited(Data, frozen=True, kw_only=True):
    """A synchronisation object."""

    kind: str
    """A word for people: "queue", "event", "barrier", "future", "semaphore", "lock" ..."""
    id: str
    """Its class, for example "queue.Queue"."""
    missing: str
    """What nobody does: "puts anything into the queue"."""


KINDS = {
    "queue": Awaited(kind="queue", id="queue.Queue", missing="puts anything into the queue"),
    "event": Awaited(kind="event", id="threading.Event", missing="sets the event"),
    "condition": Awaited(
        kind="condition", id="threading.Condition", missing="notifies the condition"
    ),
    "barrier": Awaited(
        kind="barrier", id="threading.Barrier", missing="comes to the barrier as its last party"
    ),
    "semaphore": Awaited(
        kind="semaphore", id="threading.Semaphore", missing="releases the semaphore"
    ),
    "future": Awaited(
        kind="future", id="concurrent.futures.Future", missing="completes the future"
    ),
    "lock": Awaited(kind="lock", id="threading.Lock", missing="releases the lock"),
}
"""By the kind of wait; the class is the usual one, until the stack tells a narrower one."""

CLASSES = {
    "queue": ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue"),
    "semaphore": ("Semaphore", "BoundedSemaphore"),
    "lock": ("Lock", "RLock"),
}
OTHER_SIDE = {
    "put": "takes anything out of the full queue",
    "join": "finishes the tasks of the queue",
}


def awaited(reading: Reading, thread: Thread) -> Awaited | None:
    """Return what a thread waits for, None if it is nothing of `threading`, `queue`, futures."""
    wait = reading.waits.get(ref_of(thread))
    usual = KINDS.get(wait.kind) if wait else None
    if usual is None or thread.call is None or thread.call.timed:
        return None
    return Awaited(
        kind=usual.kind, id=_class(thread, usual), missing=_missing(thread) or usual.missing
    )


def _class(thread: Thread, usual: Awaited) -> str:
    module = usual.id.rpartition(".")[0]
    frames = standard_tail(thread) or thread.frames[-1:]
    types = [local.type.rpartition(".")[2] for frame in frames for local in frame.locals]
    known = [name for name in types if name in CLASSES.get(usual.kind, ())]
    return f"{module}.{known[0]}" if known else usual.id


def _missing(thread: Thread) -> str:
    """Say what is missing where a queue is written to or joined rather than read."""
    for frame in standard_tail(thread):
        if is_frame_of(frame, "queue.py"):
            return OTHER_SIDE.get(function_of(frame), "")
    return ""
