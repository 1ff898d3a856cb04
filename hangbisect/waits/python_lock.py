"""A lock of Python's own, written in C: it has no frame, only a variable in the frame that waits.

CPython does not record who took a `threading.Lock`. A thread whose outer frames know the same lock
is pointed at, and yet any other thread might release it.
"""

from hangbisect.model import Local, Thing, Thread, ThreadRef
from hangbisect.waits._calls import futex_evidence
from hangbisect.waits._futexes import is_private_futex
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._python import type_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import others_words, thread_words

ORDER = 110
KINDS = {"lock": "lock", "RLock": "lock", "_RLock": "lock", "SimpleQueue": "queue"}


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise the only lock that the innermost frame has among its variables."""
    if not is_private_futex(thread) or not thread.frames:
        return None
    lock = _only_lock(thread)
    if lock is None or lock.address is None:
        return None
    others = index.others(thread)
    kind = KINDS[type_of(lock)]
    holders = () if kind == "queue" else _knowing(lock.address, thread, index)
    return Wait(
        thread=ref_of(thread),
        kind=kind,
        on=Thing(kind=kind, id=f"{lock.address:#x}"),
        says=_words(kind, lock.name, holders, others, index),
        holders=holders,
        wakers=others,
        evidence=futex_evidence(thread),
    )


def _only_lock(thread: Thread) -> Local | None:
    found = [local for local in thread.frames[-1].locals if type_of(local) in KINDS]
    return found[0] if len({local.address for local in found}) == 1 else None


def _knowing(address: int, thread: Thread, index: Index) -> tuple[ThreadRef, ...]:
    """Name the other threads that know the lock and do not wait for it themselves."""
    found = []
    for ref in index.others(thread):
        row = index.thread(ref)
        frames = row.frames if row else ()
        waits = bool(row and row.frames and is_private_futex(row) and _waits_for(row, address))
        if not waits and any(local.address == address for f in frames for local in f.locals):
            found.append(ref)
    return tuple(found)


def _waits_for(thread: Thread, address: int) -> bool:
    lock = _only_lock(thread)
    return lock is not None and lock.address == address


def _words(
    kind: str,
    name: str,
    holders: tuple[ThreadRef, ...],
    others: tuple[ThreadRef, ...],
    index: Index,
) -> str:
    if kind == "queue":
        return f"waits for an item of the queue `{name}`, {others_words(others, index, 'fill')}"
    if holders:
        return f"waits for the lock `{name}`, which {thread_words(holders[0], index)} knows too"
    return f"waits for the lock `{name}`, {others_words(others, index, 'release')}"
