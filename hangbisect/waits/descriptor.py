"""Any other single descriptor: eventfd, timerfd, signalfd, inotify, a device ..."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import one_descriptor
from hangbisect.waits._ends import ends_of
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 290


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a call that waits on one descriptor of which we know what it is."""
    row = one_descriptor(thread, index)
    if row is None or thread.call is None:
        return None
    ends = ends_of(thread, row, index)
    return Wait(
        thread=ref_of(thread),
        kind=row.kind,
        on=Thing(kind=row.kind, id=row.target),
        says=f"waits in {thread.call.name} for {ends.says}",
        holders=ends.holders,
        wakers=ends.wakers,
        roots=ends.roots,
        beside=ends.beside,
        evidence=(f"descriptor {row.fd} is {row.target}",),
    )
