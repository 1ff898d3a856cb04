"""When a wait chain leaves no other explanation: a circle in which nobody else has a say."""

from hangbisect.causes._rows import ref_of
from hangbisect.model import Thread, ThreadRef
from hangbisect.waits import Reading


def is_closed(reading: Reading, thread: Thread) -> bool:
    """Tell whether a thread waits, link by link, for itself, and no link has a second way out.

    A link to a process as a whole counts only if no other thread of it could have been meant.
    """
    chain = reading.chain_of(ref_of(thread))
    if chain.back_to != ref_of(thread) or not set(chain.threads) <= reading.dead:
        return False
    single = all(link.holders is not None and len(link.holders) == 1 for link in chain.links)
    whole = {ref.pid for link in chain.links for ref in link.holders or () if ref.tid == 0}
    return single and all(has_only(reading, pid, chain.threads) for pid in whole)


def has_only(reading: Reading, pid: int, refs: tuple[ThreadRef, ...]) -> bool:
    """Tell whether the other threads of a process are idle ones of a native pool."""
    rows = reading.index.threads_of(pid)
    return all(ref_of(row) in refs or is_idle(row) for row in rows)


def is_idle(thread: Thread) -> bool:
    """Tell whether a thread has no Python code and waits for no particular thread."""
    word = thread.call.word if thread.call else None
    if thread.frames or thread.gil or word is None:
        return False
    return word.owner is None and word.joins is None and word.region not in ("loader", "semaphore")
