"""A join of a Python thread. No futex word names it: both stacks show the same Thread object."""

from hangbisect.model import Frame, Thing, Thread, ThreadRef
from hangbisect.waits._calls import futex_evidence
from hangbisect.waits._futexes import is_private_futex
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._python import innermost, is_frame, self_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import thread_words

ORDER = 90
JOINING = ("join", "_wait_for_tstate_lock", "_shutdown")
STARTED = ("_bootstrap", "_bootstrap_inner", "run")
"""Functions of `threading` in which a thread runs, with its Thread as `self`."""


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise Thread.join, and the interpreter's wait at its end for all that is not a daemon."""
    frame = _joining(thread)
    if frame is None or not is_private_futex(thread):
        return None
    joined = _running_of(self_of(frame), thread, index)
    others = index.others(thread)
    return Wait(
        thread=ref_of(thread),
        kind="python-join",
        on=Thing(kind="join", id=str(joined.tid) if joined else ""),
        says=_words(frame, joined, others, index),
        holders=(joined,) if joined else (),
        wakers=() if joined else others,
        evidence=futex_evidence(thread),
    )


def _joining(thread: Thread) -> Frame | None:
    """Return the frame of the join in which the thread's stack ends."""
    found = None
    for frame in innermost(thread):
        if not is_frame(frame, "threading.py", *JOINING):
            break
        found = frame
    return found


def _running_of(identity: int | None, thread: Thread, index: Index) -> ThreadRef | None:
    """Find the other thread in which a Thread object runs."""
    if identity is None:
        return None
    for ref in index.others(thread):
        row = index.thread(ref)
        frames = row.frames[:3] if row else ()
        if any(is_frame(f, "threading.py", *STARTED) and self_of(f) == identity for f in frames):
            return ref
    return None


def _words(
    frame: Frame, joined: ThreadRef | None, others: tuple[ThreadRef, ...], index: Index
) -> str:
    if joined:
        return f"joins {thread_words(joined, index)}"
    if is_frame(frame, "threading.py", "_shutdown"):
        return "waits at the interpreter's end for threads that are not daemons"
    if len(others) == 1:
        return f"joins a thread, which can only be {thread_words(others[0], index)}"
    return "joins a thread, and it could not be seen which"
