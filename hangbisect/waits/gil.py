"""A thread that waits for the GIL: its holder ends that.

A waiter wakes each switch interval (5 ms by default, sys.setswitchinterval) to ask again, so it
moves and has a time limit, and neither is a sign of life.
"""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import FUTEXES, futex_evidence, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import thread_words

ORDER = 20
LONGEST_SWITCH_INTERVAL = 0.1
"""Seconds; a longer timed wait on the interpreter's memory is not taken for the GIL."""


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a GIL waiter by its stack, else by some milliseconds on the interpreter's words."""
    if not waits_for_gil(thread):
        return None
    rows = index.threads_of(thread.pid)
    holders = tuple(ref_of(row) for row in rows if row.gil == "holds" and row is not thread)
    patient = {ref_of(row) for row in rows if waits_for_gil(row)}
    others = tuple(ref for ref in index.others(thread) if ref not in patient)
    held = f", held by {thread_words(holders[0], index)}" if holders else ""
    return Wait(
        thread=ref_of(thread),
        kind="gil",
        on=Thing(kind="gil", id=str(thread.pid)),
        says=f"waits for the GIL{held}",
        holders=holders,
        wakers=() if holders else others,
        handler="runs",
        renewed=True,
        evidence=futex_evidence(thread),
    )


def waits_for_gil(thread: Thread) -> bool:
    """Tell whether a thread waits for the GIL; it may be caught running between two waits."""
    if thread.gil is not None:
        return thread.gil == "waits"
    call = thread.call
    if call is None or not is_call(thread, FUTEXES) or call.word is None:
        return False
    short = (
        call.interval <= LONGEST_SWITCH_INTERVAL if call.interval is not None else _moves(thread)
    )
    return call.timed and short and call.word.region == "interpreter"


def _moves(thread: Thread) -> bool:
    """Tell whether it woke between two looks: its limit is short, though it could not be read."""
    return not thread.still
