"""A process's memory for tests: pieces of bytes at addresses."""

import struct

from hangbisect.host.maps import Read


def memory(pieces: dict[int, bytes]) -> Read:
    """Read from these pieces; nothing is mapped elsewhere."""

    def read(address: int, size: int) -> bytes:
        for start, data in pieces.items():
            if start <= address < start + len(data):
                return data[address - start : address - start + size]
        return b""

    return read


def words(*values: int) -> bytes:
    """Pack 32-bit words."""
    return struct.pack(f"<{len(values)}I", *values)


def timespec(whole: int, nanoseconds: int) -> bytes:
    """Pack a timespec."""
    return struct.pack("<qq", whole, nanoseconds)
