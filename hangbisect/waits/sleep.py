"""A sleep, or a poll of nothing with a time limit: it ends by itself."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import POLLS, SLEEPS, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 320


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise nanosleep and alike."""
    call = thread.call
    if call is None or not is_call(thread, (*SLEEPS, *POLLS)):
        return None
    length = f" for {call.interval:g} s" if call.interval is not None else ""
    return Wait(
        thread=ref_of(thread),
        kind="sleep",
        on=Thing(kind="timer", id=call.name),
        says=f"sleeps{length}",
        roots=("timer",),
        deadline=call.deadline,
        evidence=(call.name,),
    )
