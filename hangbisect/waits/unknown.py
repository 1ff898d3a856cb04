"""Whatever no other kind recognises: somebody out of sight may end it, so it is never dead."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import call_words
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 1000


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise everything."""
    call = thread.call
    known = call is not None and call.name
    return Wait(
        thread=ref_of(thread),
        kind="unknown",
        on=Thing(kind="call", id=call.name if call else ""),
        says=f"waits in {call_words(call)}"
        if call and known
        else "waits, in what could not be read",
        roots=("outside",),
        end="unknown",
    )
