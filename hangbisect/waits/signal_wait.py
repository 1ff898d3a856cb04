"""A wait for a signal (pause, sigwait): anybody may send one, whatever handlers are set."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import SIGNALS, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 330


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise calls that end by a signal only."""
    call = thread.call
    if call is None or not is_call(thread, SIGNALS):
        return None
    return Wait(
        thread=ref_of(thread),
        kind="signal",
        on=Thing(kind="signal", id=call.name),
        says="waits for a signal",
        roots=("outside",),
        evidence=(call.name,),
    )
