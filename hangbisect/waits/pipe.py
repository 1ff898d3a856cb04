"""A pipe or FIFO: who reads waits for whoever could write or close, and the other way round."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import one_descriptor
from hangbisect.waits._ends import ends_of
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 260


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a read or write of one pipe or FIFO."""
    row = one_descriptor(thread, index)
    if row is None or thread.call is None or row.kind not in ("pipe", "fifo"):
        return None
    writes = thread.call.writes
    ends = ends_of(thread, row, index, writes=writes)
    left = row.kind == "fifo" and ends.seen and not ends.holders
    return Wait(
        thread=ref_of(thread),
        kind="pipe",
        on=Thing(kind=row.kind, id=str(row.inode) if row.kind == "pipe" else row.target),
        says=f"{'writes to' if writes else 'reads'} {ends.says}",
        holders=ends.holders,
        wakers=ends.wakers,
        roots=ends.roots,
        beside=ends.beside,
        end="nobody" if left else None,
        evidence=(f"descriptor {row.fd} is {row.target}",),
    )
