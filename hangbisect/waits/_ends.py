"""The other ends of a descriptor: who could make it readable or writable."""

from collections.abc import Iterable

import msgspec

from hangbisect.model import Descriptor, Socket, Thread, ThreadRef
from hangbisect.model._struct import Data
from hangbisect.waits._index import Index
from hangbisect.waits._wait import Root, unique
from hangbisect.waits._words import holders_words, process_words

HOLD = ("holds", "hold")


class Ends(Data, frozen=True, kw_only=True):
    """Who could end a wait for one descriptor."""

    holders: tuple[ThreadRef, ...] = ()
    wakers: tuple[ThreadRef, ...] = ()
    roots: tuple[Root, ...] = ()
    beside: tuple[Root, ...] = ()
    says: str = ""
    """What it is and who has the other end: "pipe 4711, whose write end process 7 holds"."""
    seen: bool = True
    """The other end was found."""


def ends_of(thread: Thread, row: Descriptor, index: Index, *, writes: bool = False) -> Ends:
    """Say who could end a wait for a descriptor. Standard input is a person's, or a program's."""
    ends = _by_kind(thread, row, index, writes=writes)
    if writes or not is_stdin(row, index):
        return ends
    says = f"standard input, {ends.says}"
    return msgspec.structs.replace(ends, roots=("person", "outside"), beside=(), says=says)


def ends_at(thread: Thread, fd: int, index: Index) -> Ends:
    """Say who could end a wait for a descriptor by its number; one without a row is outside."""
    row = index.descriptor(thread.pid, fd)
    unseen = Ends(roots=("outside",), says=f"descriptor {fd}", seen=False)
    return ends_of(thread, row, index) if row else unseen


def joined(ends: Iterable[Ends]) -> Ends:
    """Add up who could end a wait for any of several descriptors; none known: somebody outside."""
    found = list(ends)
    if not found:
        return Ends(roots=("outside",), seen=False)
    return Ends(
        holders=unique(ref for end in found for ref in end.holders),
        wakers=unique(ref for end in found for ref in end.wakers),
        roots=unique(root for end in found for root in end.roots if root not in end.beside),
        beside=unique(root for end in found for root in end.beside),
        says=" or ".join(unique(end.says for end in found)),
        seen=any(end.seen for end in found),
    )


def holders_of(thread: Thread, rows: Iterable[Descriptor], index: Index) -> tuple[ThreadRef, ...]:
    """Name who holds ends: foreign processes, and of the thread's own process its other threads."""
    pids = unique(row.pid for row in rows)
    foreign = [ThreadRef(pid=pid, tid=0) for pid in pids if pid != thread.pid]
    return unique([*foreign, *(index.others(thread) if thread.pid in pids else ())])


def is_stdin(row: Descriptor, index: Index) -> bool:
    """Tell whether a descriptor is the standard input of the target's start, or a copy of it."""
    first = index.descriptor(row.pid, 0)
    same = first is not None and bool(row.inode) and first.inode == row.inode
    return row.inherited and row.kind in ("pipe", "fifo", "socket") and (row.fd == 0 or same)


def _by_kind(thread: Thread, row: Descriptor, index: Index, *, writes: bool) -> Ends:
    match row.kind:
        case "pipe" | "fifo":
            return _pipe(thread, row, index, writes=writes)
        case "socket":
            return _socket(thread, row, index)
        case "eventfd":
            return _eventfd(thread, row, index)
        case "epoll":
            return joined(ends_at(thread, fd, index) for fd in row.watched)
        case "pidfd" if row.names is not None and index.process(row.names):
            says = f"the end of {process_words(row.names, index)}"
            return Ends(holders=(ThreadRef(pid=row.names, tid=0),), says=says)
        case "terminal":
            return Ends(roots=("person",), says=f"the terminal {row.target}")
        case "timerfd":
            return Ends(roots=("timer",), says="a timer")
        case _:
            return Ends(roots=("outside",), says=f"{row.kind} {row.target}")


def _pipe(thread: Thread, row: Descriptor, index: Index, *, writes: bool) -> Ends:
    wanted = "r" if writes or row.mode == "w" else "w"
    rows = index.ends_of(row.inode, wanted, row.device)
    holders = holders_of(thread, rows, index)
    held = holders_words(holders, thread, index, HOLD) if rows else "nobody in sight holds"
    name = f"FIFO {row.target}" if row.kind == "fifo" else f"pipe {row.inode}"
    says = f"{name}, whose {'read' if wanted == 'r' else 'write'} end {held}"
    if not rows:
        return Ends(roots=("outside",), says=says, seen=False)
    if row.kind == "fifo":  # it has a name: somebody may yet open it
        return Ends(holders=holders, beside=("outside",), says=says)
    return Ends(holders=holders, roots=_unseen(row, index), says=says)


def _unseen(row: Descriptor, index: Index) -> tuple[Root, ...]:
    """Say that somebody out of sight may hold the other end as well.

    So it is with what the target got at its start, and while descriptors lie in messages that
    nobody has received: unix(7), SCM_RIGHTS.
    """
    return ("outside",) if row.inherited or index.hands_over else ()


def _socket(thread: Thread, row: Descriptor, index: Index) -> Ends:
    """Name the peer; and any thread of the process, which may shut the socket down meanwhile."""
    socket = index.socket(row.inode)
    says = socket_words(socket, row)
    open_to_all = socket is not None and (
        socket.state == "LISTEN" or (socket.type == "datagram" and socket.family != "unix")
    )
    if socket is None or socket.peer is None or open_to_all:
        return Ends(roots=("outside",), says=says, seen=False)
    rows = index.descriptors_on(socket.peer)
    if not rows:
        return Ends(roots=("outside",), says=says, seen=False)
    holders = holders_of(thread, rows, index)
    return Ends(
        holders=holders,
        wakers=index.others(thread),
        roots=_unseen(row, index),
        says=f"{says}, whose other end {holders_words(holders, thread, index, HOLD)}",
    )


def socket_words(socket: Socket | None, row: Descriptor) -> str:
    """Name a socket by its peer: "the socket to 127.0.0.1:80"."""
    if socket is None:
        return f"the socket {row.inode}"
    if socket.state == "LISTEN":
        return f"the listening socket {socket.local or socket.inode}"
    kind = "Unix socket" if socket.family == "unix" else "socket"
    name = socket.remote or (socket.local if socket.family == "unix" else "")
    return f"the {kind} to {name}" if name else f"the {kind} {socket.inode}"


def _eventfd(thread: Thread, row: Descriptor, index: Index) -> Ends:
    """Name whoever in the tree has any eventfd, for all share one inode; and somebody outside.

    A process elsewhere may have been given it, and the kernel itself writes to one that it was
    lent for its own completions (io_uring, AIO, drivers): eventfd(2). So it is never dead.
    """
    rows = [end for end in index.descriptors_on(row.inode) if end.kind == "eventfd"]
    holders = holders_of(thread, [row, *rows], index)
    own = tuple(ref for ref in holders if ref.pid == thread.pid)
    says = f"the eventfd {row.fd}"
    if row.inherited:
        return Ends(holders=own, wakers=holders, roots=("outside",), says=says)
    return Ends(holders=own, wakers=holders, beside=("outside",), says=says)
