"""The sockets of the tree, their peers on this machine, and who listens where they connect to."""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from hangbisect.host.addresses import split
from hangbisect.host.netlink import INET, INET6, UNIX, Found
from hangbisect.host.networks import LISTEN, Network
from hangbisect.model import Socket

_FAMILIES: Mapping[int, Literal["unix", "inet", "inet6"]] = {
    UNIX: "unix",
    INET: "inet",
    INET6: "inet6",
}
_TYPES: Mapping[int, Literal["stream", "datagram"]] = {1: "stream", 2: "datagram"}
_STATES = {
    1: "ESTABLISHED",
    2: "SYN_SENT",
    3: "SYN_RECV",
    4: "FIN_WAIT1",
    5: "FIN_WAIT2",
    6: "TIME_WAIT",
    7: "CLOSE",
    8: "CLOSE_WAIT",
    9: "LAST_ACK",
    10: "LISTEN",
    11: "CLOSING",
    12: "SYN_RECV",
}
"""include/net/tcp_states.h in the kernel; Unix sockets use the same numbers."""
_ANY = frozenset({"0.0.0.0", "::"})


def sockets_of(inodes: Collection[int], network: Network) -> Iterator[Socket]:
    """Describe the sockets with these inodes, their peers, and the listeners that they reach."""
    known = network.by_inode
    for inode in inodes:
        found = known.get(inode)
        if found is None:
            yield Socket(inode=inode, family="other", type="other")
            continue
        yield describe(found)
        peer = known.get(found.peer or 0)
        if peer is not None and peer.inode not in inodes:
            yield describe(peer)
    wanted = {known[inode].remote for inode in inodes if _lacks_peer(known.get(inode))}
    yield from listeners(wanted, network, inodes)


def listeners(
    addresses: Collection[str], network: Network, leave_out: Collection[int] = ()
) -> Iterator[Socket]:
    """Describe the sockets that listen at these addresses."""
    for found in network.sockets:
        listens = found.state == LISTEN and found.inode and found.inode not in leave_out
        if listens and any(_serves(found, address) for address in addresses):
            yield describe(found)


def describe(found: Found) -> Socket:
    """Put a socket in the model's words."""
    return Socket(
        inode=found.inode,
        family=_FAMILIES.get(found.family, "other"),
        type=_TYPES.get(found.type, "other"),
        state=_STATES.get(found.state, ""),
        local=found.local,
        remote=found.remote if split(found.remote)[1] else "",
        peer=found.peer,
        received=found.received,
        sent=found.sent,
    )


def _lacks_peer(found: Found | None) -> bool:
    """Is it connected, or about to be, to an end that nobody has accepted?"""
    return found is not None and found.peer is None and bool(split(found.remote)[1])


def _serves(found: Found, address: str) -> bool:
    if found.family == UNIX:
        return bool(address) and found.local == address
    host, port = split(found.local)
    wanted, wanted_port = split(address)
    return port != 0 and port == wanted_port and (host == wanted or host in _ANY)
