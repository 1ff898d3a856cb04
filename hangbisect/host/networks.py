"""All sockets of a network namespace: asked of the kernel, or read from /proc/PID/net."""

import sys
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from hangbisect.host.addresses import internet, split
from hangbisect.host.netlink import (
    INET,
    INET6,
    TCP,
    UDP,
    UNIX,
    Found,
    internet_sockets,
    opened,
    unix_sockets,
)
from hangbisect.host.proc import Proc
from hangbisect.model._struct import Data

LISTEN = 10
_ESTABLISHED, _SYN_SENT = 1, 2
_ANY = frozenset({"0.0.0.0", "::"})
_UNCONNECTED = 7
_STREAM, _DATAGRAM = 1, 2
_ACCEPTS = 0x10000
"""__SO_ACCEPTCON in the flags of /proc/net/unix."""
_CONNECTED = 3


class Network(Data, frozen=True, kw_only=True):
    """The sockets of a namespace, by inode."""

    sockets: tuple[Found, ...] = ()
    partial: bool = False
    """Read from text: the peers of Unix sockets and byte counters are not known."""

    @property
    def by_inode(self) -> Mapping[int, Found]:
        """Index the sockets that have an inode: one that nobody has accepted has none."""
        return {found.inode: found for found in self.sockets if found.inode}


def network_of(proc: Proc, pid: int, *, counters: bool = False) -> Network:
    """List the sockets of the namespace that a process lives in."""
    ours, theirs = proc.link("self/ns/net"), proc.link(f"{pid}/ns/net")
    if ours == theirs or not theirs:
        try:
            return Network(sockets=with_peers(_asked(counters=counters)))
        except OSError:  # a kernel or a container without sock_diag
            pass
    return Network(sockets=with_peers(_read(proc, pid)), partial=True)


def queues_of(proc: Proc, pid: int) -> Mapping[int, int] | None:
    """Say how much lies unreceived in each Unix socket of a namespace, by inode.

    None: it is not ours, or the kernel does not answer.
    """
    ours, theirs = proc.link("self/ns/net"), proc.link(f"{pid}/ns/net")
    if ours != theirs and theirs:
        return None
    try:
        with opened() as connection:
            return {each.inode: each.queued for each in unix_sockets(connection)}
    except OSError:  # a kernel or a container without sock_diag
        return None


def with_peers(sockets: Iterable[Found]) -> tuple[Found, ...]:
    """Join the two ends of connections within the namespace.

    The other end of a connection that nobody has accepted yet belongs to no process: the listening
    socket stands in for it.
    """
    found = tuple(sockets)
    peers = {**_unix_pending(found), **dict(_internet_peers(found))}
    return tuple(
        msgspec.structs.replace(each, peer=peers[each.inode])
        if each.peer is None and each.inode in peers
        else each
        for each in found
    )


def serves(listener: Found, address: str) -> bool:
    """Does a socket take connections or datagrams from anyone at this address?"""
    if not _is_open_to_all(listener) or not listener.inode or not address:
        return False
    if listener.family == UNIX:
        return listener.local == address
    (host, port), (wanted, wanted_port) = split(listener.local), split(address)
    return port != 0 and port == wanted_port and (host == wanted or host in _ANY)


def _unix_pending(found: tuple[Found, ...]) -> Mapping[int, int]:
    return {client: each.inode for each in found for client in each.pending if client}


def _internet_peers(found: tuple[Found, ...]) -> Iterator[tuple[int, int]]:
    connected = [each for each in found if each.family != UNIX and split(each.remote)[1]]
    ends = {(each.type, each.local, each.remote): each for each in connected}
    listening: dict[int, list[Found]] = {}
    for each in found:
        if _is_open_to_all(each):
            listening.setdefault(split(each.local)[1], []).append(each)
    for each in connected:
        other = ends.get((each.type, each.remote, each.local))
        if other is not None and other.inode:
            yield each.inode, other.inode
        elif _is_pending(each, other):
            near = listening.get(split(each.remote)[1], ())
            yield from (
                (each.inode, one.inode)
                for one in near
                if one.type == each.type and serves(one, each.remote)
            )


def _is_open_to_all(found: Found) -> bool:
    if found.type == _DATAGRAM and found.family != UNIX:
        return not split(found.remote)[1]
    return found.state == LISTEN


def _is_pending(client: Found, other: Found | None) -> bool:
    """Is a connection still in a listening socket's queue, or did it not get that far?"""
    if client.state == _SYN_SENT or client.type == _DATAGRAM:
        return True
    return client.state == _ESTABLISHED and other is not None and other.state == _ESTABLISHED


def _asked(*, counters: bool) -> Iterator[Found]:
    with opened() as connection:
        for family in (INET, INET6):
            yield from internet_sockets(connection, family, TCP, counters=counters)
            yield from internet_sockets(connection, family, UDP)
        yield from unix_sockets(connection)


def _read(proc: Proc, pid: int) -> Iterator[Found]:
    for name, family in (("tcp", INET), ("tcp6", INET6), ("udp", INET), ("udp6", INET6)):
        kind = _STREAM if name.startswith("tcp") else _DATAGRAM
        yield from parse_internet_text(proc.peek(f"{pid}/net/{name}"), family, kind)
    yield from parse_unix_text(proc.peek(f"{pid}/net/unix"))


def parse_internet_text(text: str, family: int, kind: int) -> Iterator[Found]:
    """Parse /proc/net/tcp, tcp6, udp or udp6: proc_pid_net(5)."""
    for line in text.splitlines()[1:]:
        fields = line.split()
        if len(fields) < 10:
            continue
        yield Found(
            inode=int(fields[9]),
            family=family,
            type=kind,
            state=int(fields[3], 16),
            local=_address(fields[1]),
            remote=_address(fields[2]),
        )


def parse_unix_text(text: str) -> Iterator[Found]:
    """Parse /proc/net/unix."""
    for line in text.splitlines()[1:]:
        fields = line.split(None, 7)
        if len(fields) < 7:
            continue
        listens = int(fields[3], 16) & _ACCEPTS
        connected = int(fields[5], 16) == _CONNECTED
        yield Found(
            inode=int(fields[6]),
            family=UNIX,
            type=int(fields[4], 16),
            state=LISTEN if listens else _ESTABLISHED if connected else _UNCONNECTED,
            local=fields[7] if len(fields) > 7 else "",
        )


def _address(text: str) -> str:
    """Read "0100007F:1F90": 32-bit groups in the machine's own byte order."""
    host, _, port = text.partition(":")
    groups = [int(host[at : at + 8], 16) for at in range(0, len(host), 8)]
    packed = b"".join(group.to_bytes(4, sys.byteorder) for group in groups)
    return internet(packed, int(port, 16))
