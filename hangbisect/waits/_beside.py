"""What could end any wait beside its own wakers: a time limit, a timer, the handler of a signal."""

import msgspec

from hangbisect.model import Thread
from hangbisect.waits._index import Index
from hangbisect.waits._signals import handled
from hangbisect.waits._wait import Root, Wait, unique


def with_beside(wait: Wait, thread: Thread, index: Index) -> Wait:
    """Complete what a kind of wait said with what holds for every kind."""
    process = index.process(thread.pid)
    limited = thread.call is not None and thread.call.timed and not wait.renewed
    signals = handled(thread, process) if wait.handler != "none" else ()
    ended = bool(signals) and wait.handler == "ends"
    beside: list[Root] = [*wait.beside]
    timers = process is not None and process.timers > 0
    beside += ["timer"] if (limited or timers) and "timer" not in wait.roots else []
    beside += ["outside"] if ended and "outside" not in wait.roots else []
    said: tuple[str, ...] = (f"a handler is set for {', '.join(signals)}",) if signals else ()
    said += ("the process has a timer that sends a signal",) if timers else ()
    return msgspec.structs.replace(
        wait,
        wakers=unique((*wait.holders, *wait.wakers)),
        roots=unique((*wait.roots, *beside)),
        beside=unique(beside),
        signals=signals,
        deadline=thread.call.deadline if thread.call and limited else wait.deadline,
        evidence=(*wait.evidence, *said),
    )
