"""Standard input that is no terminal: a person or a program outside is to write to it."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import one_descriptor
from hangbisect.waits._ends import ends_of, is_stdin
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 250


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a read of the standard input that the target got at its start."""
    row = one_descriptor(thread, index)
    if row is None or thread.call is None or thread.call.writes or not is_stdin(row, index):
        return None
    ends = ends_of(thread, row, index)
    return Wait(
        thread=ref_of(thread),
        kind="stdin",
        on=Thing(kind="stdin", id="0"),
        says=f"reads {ends.says}",
        holders=ends.holders,
        wakers=ends.wakers,
        roots=ends.roots,
        evidence=(f"descriptor {row.fd} is {row.target}, got at the start",),
    )
