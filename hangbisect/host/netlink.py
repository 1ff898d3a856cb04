"""Asks the kernel about sockets: sock_diag(7). Faster than /proc/net, and it knows Unix peers."""

import os
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hangbisect.host.addresses import internet, unix_name
from hangbisect.model._struct import Data

_SOCK_DIAG = 4
_BY_FAMILY = 20
_REQUEST_DUMP = 0x301
_DONE, _ERROR = 3, 2
_HEADER = struct.Struct("=IHHII")
_ATTRIBUTE = struct.Struct("=HH")
_INET_REQUEST = struct.Struct("=BBBBI48x")
_UNIX_REQUEST = struct.Struct("=BBHIIIII")
_INET_MESSAGE = struct.Struct("=BBBB2s2s16s16sIIIIIIII")
_UNIX_MESSAGE = struct.Struct("=BBBBIII")
_TCP_INFO = 2
"""Attribute INET_DIAG_INFO: struct tcp_info."""
_ACKED_AT, _RECEIVED_AT = 120, 128
"""Offsets of tcpi_bytes_acked and tcpi_bytes_received: kernel 4.2 and newer."""
_UNIX_NAME, _UNIX_PEER, _UNIX_PENDING, _UNIX_QUEUE = 0, 2, 3, 4
_SHOW = 1 | 4 | 8 | 16
"""UDIAG_SHOW_NAME, UDIAG_SHOW_PEER, UDIAG_SHOW_ICONS, UDIAG_SHOW_RQLEN."""
_ALL_STATES = 0xFFFF_FFFF
_CHUNK = 1 << 16
_PATIENCE = 1.0

INET, INET6, UNIX = 2, 10, 1
TCP, UDP = 6, 17


class Found(Data, frozen=True, kw_only=True):
    """A socket as the kernel describes it."""

    inode: int
    family: int
    type: int
    """SOCK_STREAM is 1, SOCK_DGRAM 2, SOCK_SEQPACKET 5."""
    state: int
    local: str = ""
    remote: str = ""
    peer: int | None = None
    pending: tuple[int, ...] = ()
    """Unix, listening: the sockets whose connection nobody has accepted."""
    queued: int = 0
    """Unix: bytes that nobody has received; listening: connections that nobody has accepted."""
    received: int | None = None
    sent: int | None = None


@contextmanager
def opened() -> Iterator[socket.socket]:
    """Open a connection to the kernel, in the caller's own network namespace."""
    if sys.platform != "linux":
        raise NotImplementedError(sys.platform)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, _SOCK_DIAG) as connection:
        connection.settimeout(_PATIENCE)
        yield connection


def internet_sockets(
    connection: socket.socket, family: int, protocol: int, *, counters: bool = False
) -> tuple[Found, ...]:
    """List the TCP or UDP sockets of a namespace, with byte counters if wished.

    Raises:
        OSError: The kernel does not answer this question.
    """
    extra = 1 << (_TCP_INFO - 1) if counters else 0
    request = _INET_REQUEST.pack(family, protocol, extra, 0, _ALL_STATES)
    kind = 1 if protocol == TCP else 2
    return tuple(
        found
        for message in _ask(connection, request)
        if (found := parse_internet(message, kind)) is not None
    )


def unix_sockets(connection: socket.socket) -> tuple[Found, ...]:
    """List the Unix sockets of a namespace with the inodes of their peers.

    Raises:
        OSError: The kernel does not answer this question.
    """
    request = _UNIX_REQUEST.pack(UNIX, 0, 0, _ALL_STATES, 0, _SHOW, 0, 0)
    return tuple(
        found for message in _ask(connection, request) if (found := parse_unix(message)) is not None
    )


def parse_internet(message: bytes, kind: int) -> Found | None:
    """Parse an inet_diag_msg with its attributes."""
    if len(message) < _INET_MESSAGE.size:
        return None
    family, state, _, _, local_port, remote_port, local, remote, *rest = _INET_MESSAGE.unpack_from(
        message
    )
    size = 4 if family == INET else 16
    info = dict(_attributes(message[_INET_MESSAGE.size :])).get(_TCP_INFO, b"")
    counted = len(info) >= _RECEIVED_AT + 8
    return Found(
        inode=rest[-1],
        family=family,
        type=kind,
        state=state,
        local=internet(local[:size], int.from_bytes(local_port, "big")),
        remote=internet(remote[:size], int.from_bytes(remote_port, "big")),
        received=_counter(info, _RECEIVED_AT) if counted else None,
        sent=_counter(info, _ACKED_AT) if counted else None,
    )


def parse_unix(message: bytes) -> Found | None:
    """Parse a unix_diag_msg with its attributes."""
    if len(message) < _UNIX_MESSAGE.size:
        return None
    family, kind, state, _, inode, _, _ = _UNIX_MESSAGE.unpack_from(message)
    attributes = dict(_attributes(message[_UNIX_MESSAGE.size :]))
    peer = int.from_bytes(attributes.get(_UNIX_PEER, b"")[:4], sys.byteorder)
    pending = attributes.get(_UNIX_PENDING, b"")
    return Found(
        inode=inode,
        family=family,
        type=kind,
        state=state,
        local=unix_name(attributes.get(_UNIX_NAME, b"")),
        peer=peer or None,
        pending=struct.unpack(f"={len(pending) // 4}I", pending),
        queued=int.from_bytes(attributes.get(_UNIX_QUEUE, b"")[:4], sys.byteorder),
    )


def _counter(info: bytes, offset: int) -> int:
    return int.from_bytes(info[offset : offset + 8], sys.byteorder)


def _ask(connection: socket.socket, request: bytes) -> Iterator[bytes]:
    size = _HEADER.size + len(request)
    connection.send(_HEADER.pack(size, _BY_FAMILY, _REQUEST_DUMP, 1, 0) + request)
    while True:
        for kind, message in _messages(connection.recv(_CHUNK)):
            if kind == _DONE:
                return
            if kind == _ERROR:
                code = -int.from_bytes(message[:4], sys.byteorder, signed=True)
                raise OSError(code, os.strerror(code))
            yield message


def _messages(data: bytes) -> Iterator[tuple[int, bytes]]:
    while len(data) >= _HEADER.size:
        size, kind, *_ = _HEADER.unpack_from(data)
        if size < _HEADER.size:
            return
        yield kind, data[_HEADER.size : size]
        data = data[_aligned(size) :]


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    while len(data) >= _ATTRIBUTE.size:
        size, kind = _ATTRIBUTE.unpack_from(data)
        if size < _ATTRIBUTE.size:
            return
        yield kind, data[_ATTRIBUTE.size : size]
        data = data[_aligned(size) :]


def _aligned(size: int) -> int:
    return (size + 3) & ~3
