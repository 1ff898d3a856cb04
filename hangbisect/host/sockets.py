"""The sockets of the tree, their peers on this machine, and who listens at an address."""

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from hangbisect.host.addresses import split
from hangbisect.host.netlink import INET, INET6, UNIX, Found
from hangbisect.host.networks import Network, serves
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


def sockets_of(inodes: Collection[int], network: Network) -> Iterator[Socket]:
    """Describe the sockets with these inodes, and their peers elsewhere."""
    known = network.by_inode
    for inode in inodes:
        found = known.get(inode)
        if found is None:
            yield Socket(inode=inode, family="other", type="other")
            continue
        peer = known.get(found.peer or 0)
        yield describe(found, peer)
        if peer is not None and peer.inode not in inodes:
            yield describe(peer)


def listeners(
    addresses: Collection[str], network: Network, leave_out: Collection[int] = ()
) -> Iterator[Socket]:
    """Describe the sockets that listen at these addresses."""
    for found in network.sockets:
        if found.inode not in leave_out and any(serves(found, each) for each in addresses):
            yield describe(found)


def describe(found: Found, peer: Found | None = None) -> Socket:
    """Put a socket in the model's words; a Unix one has the name of its peer as remote address."""
    remote = found.remote if split(found.remote)[1] else ""
    return Socket(
        inode=found.inode,
        family=_FAMILIES.get(found.family, "other"),
        type=_TYPES.get(found.type, "other"),
        state=_STATES.get(found.state, ""),
        local=found.local,
        remote=peer.local if peer is not None and found.family == UNIX else remote,
        peer=found.peer,
        received=found.received,
        sent=found.sent,
    )
