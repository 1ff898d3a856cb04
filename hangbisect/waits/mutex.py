"""A mutex of the C library whose memory names its owner; the dynamic loader's own lock is one."""

from hangbisect.model import Thing, Thread, ThreadRef
from hangbisect.waits._calls import futex_evidence
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Root, Wait
from hangbisect.waits._words import thread_words

ORDER = 60


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a futex word whose neighbours name the owner."""
    word = thread.call.word if thread.call else None
    if word is None or word.owner is None:
        return None
    owner = _owner(thread, word.owner, private=word.private, index=index)
    roots: tuple[Root, ...] = ("outside",) if owner is None and not word.private else ()
    loader = word.region == "loader"
    return Wait(
        thread=ref_of(thread),
        kind="loader-lock" if loader else "mutex",
        on=Thing(kind="loader-lock" if loader else "mutex", id=f"{word.address:#x}"),
        says=f"waits for {'the loader lock' if loader else 'a mutex'}, held by "
        + _words(thread, word.owner, owner, index),
        holders=(owner,) if owner else (),
        roots=roots,
        handler="runs",
        evidence=futex_evidence(thread),
    )


def _owner(thread: Thread, tid: int, *, private: bool, index: Index) -> ThreadRef | None:
    """Find the owner: in the thread's own process, or anywhere for a mutex in shared memory."""
    pids = [thread.pid] if private else [row.pid for row in index.snapshot.processes]
    found = (ref for pid in pids for ref in index.live(pid) if ref.tid == tid)
    return next(found, None)


def _words(thread: Thread, tid: int, owner: ThreadRef | None, index: Index) -> str:
    if owner is None:
        return f"thread {tid}, which is no more in this process"
    if owner == ref_of(thread):
        return "this same thread"
    return thread_words(owner, index)
