"""A terminal: a person has to type, or to let its output go on (Ctrl-Q after Ctrl-S)."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import one_descriptor
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 240


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a read or write of a terminal."""
    row = one_descriptor(thread, index)
    if row is None or row.kind != "terminal":
        return None
    writes = thread.call is not None and thread.call.writes
    act = "writes to the terminal {}, which takes no more" if writes else "reads the terminal {}"
    return Wait(
        thread=ref_of(thread),
        kind="terminal",
        on=Thing(kind="terminal", id=row.target),
        says=act.format(row.target),
        roots=("person",),
        evidence=(f"descriptor {row.fd} is {row.target}",),
    )
