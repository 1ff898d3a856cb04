"""The open of a FIFO, which waits for somebody to open the other end.

Nobody has to be there, so a chain ends in nobody here; yet anybody may come, so it is never dead.
"""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import OPENS, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 230


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise an open that blocks on a path known to be a FIFO."""
    call = thread.call
    fact = index.path(call.path) if call and is_call(thread, OPENS) else None
    if call is None or fact is None or fact.kind != "fifo":
        return None
    return Wait(
        thread=ref_of(thread),
        kind="fifo-open",
        on=Thing(kind="fifo", id=fact.path),
        says=f"opens the FIFO {fact.path}, and nobody has opened its other end",
        roots=("outside",),
        end="nobody",
        evidence=(f"{call.name} of {fact.path}", f"{fact.path} is a FIFO"),
    )
