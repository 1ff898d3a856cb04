"""Reading a process's memory without stopping it: /proc/PID/mem.

May block on the memory lock of a sick process: only after everything else, in a helper.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hangbisect.host.maps import Read
from hangbisect.host.proc import Proc

_LIMIT = 1 << 16
_LONGEST_PATH = 4096


@contextmanager
def memory_of(proc: Proc, pid: int, tid: int | None = None) -> Iterator[Read]:
    """Open the memory of a process for reading, if need be by one of its threads that lives.

    Raises:
        PermissionError: It may not be read.
    """
    folder = f"{pid}" if tid is None else f"{pid}/task/{tid}"
    try:
        fd = os.open(proc.path(f"{folder}/mem"), os.O_RDONLY)
    except (FileNotFoundError, ProcessLookupError):
        yield nothing
        return
    try:
        yield lambda address, size: _read(fd, address, size)
    finally:
        os.close(fd)


def nothing(address: int, size: int) -> bytes:
    """Read no memory at all."""
    return b""


def text_at(read: Read, address: int) -> str | None:
    """Read a path or other text that ends in a zero byte; None if it cannot be read whole."""
    # A path may end just before an unmapped page: read what is there, page by page.
    first = min(_LONGEST_PATH - address % _LONGEST_PATH, _LONGEST_PATH)
    data = read(address, first)
    if b"\0" not in data and data:
        data += read(address + first, _LONGEST_PATH - first)
    return os.fsdecode(data.split(b"\0")[0]) if b"\0" in data else None


def _read(fd: int, address: int, size: int) -> bytes:
    if sys.platform == "win32":
        raise NotImplementedError(sys.platform)
    try:
        return os.pread(fd, min(size, _LIMIT), address)
    except (OSError, OverflowError):  # not mapped, or not an address of user space
        return b""
