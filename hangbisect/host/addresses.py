"""Addresses of sockets in the form that reports use: "127.0.0.1:80", "[::1]:80", "/run/x", "@x"."""

import ipaddress
import os
import struct

_UNIX, _INET, _INET6 = 1, 2, 10
"""Linux's numbers of the address families, whichever system reads the saved bytes."""


def parse_address(data: bytes) -> str | None:
    """Parse a sockaddr; None if it is of another family, or torn."""
    if len(data) < 2:
        return None
    (family,) = struct.unpack_from("<H", data)
    if family == _UNIX:
        return unix_name(data[2:])
    size = {_INET: 4, _INET6: 16}.get(family, 0)
    start = 4 if family == _INET else 8
    if not size or len(data) < start + size:
        return None
    (port,) = struct.unpack_from("!H", data, 2)
    return internet(data[start : start + size], port)


def unix_name(name: bytes) -> str:
    """Give the path of a Unix socket; an abstract one begins with "@", an unnamed one is ""."""
    if name[:1] == b"\0":
        return "@" + os.fsdecode(name[1:]).rstrip("\0") if name.strip(b"\0") else ""
    return os.fsdecode(name.split(b"\0")[0])


def internet(packed: bytes, port: int) -> str:
    """Join an address in network order and a port. An IPv4 address in IPv6 clothes is IPv4."""
    address = ipaddress.ip_address(packed)
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return f"[{address}]:{port}"
        address = address.ipv4_mapped
    return f"{address}:{port}"


def split(address: str) -> tuple[str, int]:
    """Take an internet address apart: host and port; port 0 if there is none."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port) if port.isdigit() else 0
