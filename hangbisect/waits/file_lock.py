"""A lock on a file (flock, fcntl): whoever holds it."""

from hangbisect.model import FileLock, Thing, Thread, ThreadRef
from hangbisect.waits._calls import LOCKS, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait, unique
from hangbisect.waits._words import process_words

ORDER = 220


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a blocked flock or fcntl; fcntl blocks for nothing but a lock."""
    if not is_call(thread, LOCKS):
        return None
    locks = _awaited(thread, index)
    path = _path(thread, locks, index)
    holders = _holders(thread, locks, index)
    held = f", held by {_words(holders[0], thread, index)}" if holders else ""
    return Wait(
        thread=ref_of(thread),
        kind="file-lock",
        on=Thing(kind="file-lock", id=path),
        says=f"waits for the lock on {path or 'a file'}{held}",
        holders=holders,
        roots=() if holders and not index.hands_over else ("outside",),
        evidence=tuple(f"{row.kind} lock on {row.path or row.inode}" for row in locks),
    )


def _awaited(thread: Thread, index: Index) -> tuple[FileLock, ...]:
    fds = thread.call.descriptors if thread.call else ()
    rows = [row for fd in fds if (row := index.descriptor(thread.pid, fd)) is not None]
    found = [lock for row in rows for lock in index.locks_on(row.inode, row.device)]
    return tuple(found) or index.locks_awaited_by(thread.pid)


def _path(thread: Thread, locks: tuple[FileLock, ...], index: Index) -> str:
    named = [lock.path for lock in locks if lock.path]
    fds = thread.call.descriptors if thread.call else ()
    rows = [index.descriptor(thread.pid, fd) for fd in fds]
    return next(iter([*named, *(row.target for row in rows if row)]), "")


def _holders(thread: Thread, locks: tuple[FileLock, ...], index: Index) -> tuple[ThreadRef, ...]:
    """Name the holders; if the process holds it itself, its other threads, and the waiting one."""
    pids = unique(pid for lock in locks for pid in lock.holders)
    foreign = [ThreadRef(pid=pid, tid=0) for pid in pids if pid != thread.pid]
    own = index.live(thread.pid) if thread.pid in pids else ()
    return unique([*foreign, *own])


def _words(holder: ThreadRef, thread: Thread, index: Index) -> str:
    own = holder.pid == thread.pid
    return "this process itself" if own else process_words(holder.pid, index)
