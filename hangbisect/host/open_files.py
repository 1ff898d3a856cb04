"""Descriptors of the tree, the sockets and locks behind them, and who holds their other ends."""

from collections.abc import Collection, Iterable, Iterator

import msgspec

from hangbisect.host.borrow import is_full, time_limits
from hangbisect.host.descriptors import descriptors_of
from hangbisect.host.holders import Scan, Wanted, file_key, holding_of, scan
from hangbisect.host.lock_lines import parse_locks
from hangbisect.host.locks import locked_files, locks_on
from hangbisect.host.messages import opaque
from hangbisect.host.mounts import mounts_of
from hangbisect.host.networks import Network, network_of
from hangbisect.host.rights import refusal
from hangbisect.host.rows import process_row
from hangbisect.host.sockets import listeners, sockets_of
from hangbisect.host.stat import parse_stat
from hangbisect.host.view import View
from hangbisect.model import Descriptor, Facts, FileLock, Gap, Process, Socket, Thread

_MOST_DESCRIPTORS = 4096
_NO_UNIX_PEERS = Gap(
    what="the other ends of Unix sockets",
    why="they are in another network namespace, or the kernel does not answer sock_diag",
    remedy="Look from inside the container.",
)


def open_files(seen: View) -> Iterator[Facts]:
    """Yield the descriptors of the tree first, then sockets, then locks and the other ends."""
    rows: list[Descriptor] = []
    for pid in seen.tree:
        part = _descriptors(seen, pid)
        rows.extend(part.descriptors)
        yield part
    parts = tuple(_sockets(seen, rows))
    yield from parts
    sockets = tuple(socket for part in parts for socket in part.sockets)
    yield Facts(descriptors=tuple(_full(seen, rows)), sockets=tuple(_limited(seen, rows, sockets)))
    yield _others(seen, rows, sockets)


def late_ends(seen: View, threads: Collection[Thread]) -> Facts:
    """Say who has open the paths, and listens at the addresses, that calls turned out to name."""
    calls = [each.call for each in threads if each.call is not None]
    paths = frozenset(call.path for call in calls if call.path and "open" in call.name)
    addresses = {call.address for call in calls if call.address}
    found: list[Socket] = []
    for network in _networks(seen) if addresses else ():
        found.extend(listeners(addresses, network))
    links = paths | {f"socket:[{socket.inode}]" for socket in found}
    seen_ends = _scan(seen, Wanted(links=links))
    return Facts(
        sockets=tuple(found),
        descriptors=tuple(each.descriptor for each in seen_ends.holdings),
        processes=tuple(_processes(seen, seen_ends)),
    )


def _descriptors(seen: View, pid: int) -> Facts:
    mounts = mounts_of(seen.proc, pid)
    inherited = frozenset(seen.question.inherited)
    what = f"descriptors of process {pid}"
    rows: list[Descriptor] = []
    try:
        for row in descriptors_of(seen.proc, pid, mounts, inherited):
            rows.append(row)
            if len(rows) == _MOST_DESCRIPTORS:
                gap = Gap(what=what, why=f"only the first {_MOST_DESCRIPTORS} were looked at")
                return Facts(descriptors=tuple(rows), gaps=(gap,))
    except PermissionError as error:
        return Facts(gaps=(refusal(pid, what, str(error)),))
    return Facts(descriptors=tuple(rows))


def _sockets(seen: View, rows: Collection[Descriptor]) -> Iterator[Facts]:
    by_namespace: dict[str, list[int]] = {}
    for pid in seen.tree:
        by_namespace.setdefault(seen.proc.link(f"{pid}/ns/net"), []).append(pid)
    for pids in by_namespace.values():
        inodes = {row.inode: None for row in rows if row.kind == "socket" and row.pid in pids}
        if inodes:
            network = network_of(seen.proc, pids[0], counters=True)
            found = tuple(sockets_of(tuple(inodes), network))
            blind = network.partial and any(each.family == "unix" for each in found)
            yield Facts(sockets=found, gaps=(_NO_UNIX_PEERS,) if blind else ())


def _networks(seen: View) -> Iterator[Network]:
    namespaces = {seen.proc.link(f"{pid}/ns/net"): pid for pid in seen.tree}
    for pid in namespaces.values():
        yield network_of(seen.proc, pid)


def _full(seen: View, rows: Collection[Descriptor]) -> Iterator[Descriptor]:
    """Mark what has no room left among that which threads wait to write to.

    A socket that is being connected has none either, and yet is not full.
    """
    writing = {
        (each.pid, fd)
        for threads in seen.threads.values()
        for each in threads
        if each.row.call is not None and each.row.call.writes and each.row.call.name != "connect"
        for fd in each.row.call.descriptors
    }
    for row in rows:
        can_be_full = row.kind in ("pipe", "fifo", "socket")
        if can_be_full and (row.pid, row.fd) in writing and is_full(row.pid, row.fd):
            yield msgspec.structs.replace(row, full=True)


def _limited(
    seen: View, rows: Collection[Descriptor], sockets: Collection[Socket]
) -> Iterator[Socket]:
    """Read the time limits of the sockets that threads wait on."""
    by_inode = {socket.inode: socket for socket in sockets}
    waiting = {
        (each.pid, fd): each.row.call.writes
        for threads in seen.threads.values()
        for each in threads
        if each.row.call is not None
        for fd in each.row.call.descriptors
    }
    for row in rows:
        writes = waiting.get((row.pid, row.fd))
        socket = by_inode.get(row.inode) if row.kind == "socket" else None
        if writes is None or socket is None:
            continue
        limits = time_limits(row.pid, row.fd)
        if limits is not None:
            yield msgspec.structs.replace(socket, timeout=limits[1 if writes else 0])


def _others(seen: View, rows: Collection[Descriptor], sockets: Collection[Socket]) -> Facts:
    held = parse_locks(seen.proc.peek("locks"))
    files = locked_files(rows, held)
    ends = _scan(seen, _wanted(rows, sockets, files))
    own = [holding_of(seen.proc, row) for row in rows if (row.device, row.inode) in files]
    alive = {each.pid for each in held if seen.proc.exists(str(each.pid))}
    locks = tuple(locks_on(files, held, [*own, *ends.holdings], alive))
    keepers = {pid for lock in locks for pid in lock.holders} - set(seen.tree)
    return Facts(
        descriptors=tuple(each.descriptor for each in ends.holdings),
        sockets=tuple(opaque(seen, rows, sockets, ends)),
        locks=locks,
        processes=tuple(_processes(seen, ends, keepers)),
        gaps=tuple(_hidden(rows, ends, locks)),
    )


def _wanted(
    rows: Iterable[Descriptor], sockets: Iterable[Socket], files: Collection[tuple[int, int]]
) -> Wanted:
    rows = tuple(rows)
    pipes = {row.target for row in rows if row.kind == "pipe"}
    ends = {inode for socket in sockets for inode in (socket.inode, socket.peer) if inode}
    shared = {
        file_key(row) for row in rows if row.kind == "fifo" or (row.device, row.inode) in files
    }
    return Wanted(
        links=frozenset(pipes | {f"socket:[{inode}]" for inode in ends}),
        files=frozenset(shared),
        messages=True,
    )


def _scan(seen: View, wanted: Wanted) -> Scan:
    return scan(seen.proc, wanted, {*seen.tree, *seen.question.leave_out})


def _processes(seen: View, ends: Scan, more: Collection[int] = ()) -> Iterator[Process]:
    for pid in sorted({each.descriptor.pid for each in ends.holdings} | set(more)):
        stat = parse_stat(seen.proc.peek(f"{pid}/stat"))
        if stat is not None and pid not in seen.question.leave_out:
            yield process_row(seen.proc, pid, stat, seen.clocks, inside=False)


def _hidden(rows: Collection[Descriptor], ends: Scan, locks: Collection[FileLock]) -> Iterator[Gap]:
    """Say which other ends nobody is seen to hold, where there are processes out of sight."""
    if not ends.hidden:
        return
    all_rows = [*rows, *(each.descriptor for each in ends.holdings)]
    modes: dict[str, set[str]] = {}
    for row in all_rows:
        if row.kind in ("pipe", "fifo"):
            modes.setdefault(row.target, set()).update(row.mode)
    alone = [target for target, mode in modes.items() if len(mode) == 1]
    alone += [lock.path for lock in locks if not lock.holders]
    if alone:
        yield Gap(
            what=f"who holds the other ends of {', '.join(alone[:4])}",
            why="processes of other users cannot be looked at",
            remedy="Run hangbisect with sudo.",
        )
