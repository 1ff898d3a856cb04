"""Careful reading of one file: regular, not through a link, missing bytes are zero."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hangbisect.probe import wire


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Open a regular file for reading; OSError if it is anything else."""
    flags = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        yield descriptor
    finally:
        os.close(descriptor)


def read(descriptor: int, at: int, size: int) -> bytes:
    """Read `size` bytes; what the file does not have is zero."""
    os.lseek(descriptor, at, os.SEEK_SET)
    return os.read(descriptor, size).ljust(size, b"\0")


def word(data: bytes, at: int) -> int:
    """Read an unsigned 32-bit word."""
    (value,) = wire.WORD.unpack_from(data, at)
    return int(value)
