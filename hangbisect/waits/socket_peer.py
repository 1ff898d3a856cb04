"""A socket: its peer, where that is a process of this machine, else somebody outside."""

from hangbisect.model import Socket, Thing, Thread
from hangbisect.waits._calls import ACCEPTS, is_call, one_descriptor
from hangbisect.waits._ends import ends_of
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Root, Wait

ORDER = 280


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise accept, and reading or writing one socket."""
    row = one_descriptor(thread, index)
    if row is None or thread.call is None or row.kind != "socket":
        return None
    socket = index.socket(row.inode)
    accepts = is_call(thread, ACCEPTS)
    ends = ends_of(thread, row, index)
    act = "waits for a client at" if accepts else "writes to" if thread.call.writes else "reads"
    return Wait(
        thread=ref_of(thread),
        kind="accept" if accepts else "socket",
        on=Thing(kind="socket", id=_id(socket, row.inode)),
        says=f"{act} {ends.says}",
        holders=() if accepts else ends.holders,
        wakers=ends.wakers,
        roots=("outside",) if accepts else ends.roots,
        beside=_limit(socket),
        evidence=(f"descriptor {row.fd} is {row.target}",),
    )


def _limit(socket: Socket | None) -> tuple[Root, ...]:
    """A socket may have a time limit of its own (SO_RCVTIMEO); if that was not read, say it has."""
    return () if socket is not None and socket.timeout == 0.0 else ("timer",)


def _id(socket: Socket | None, inode: int) -> str:
    if socket is None:
        return str(inode)
    named = socket.local if socket.state == "LISTEN" else socket.remote
    return named or socket.local or str(inode)
