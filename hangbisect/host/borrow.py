"""Borrows an open descriptor of another process to ask about it: pidfd_getfd(2), Linux 5.6.

Nothing is read from it or changed. Needs the rights of a debugger; the process is not stopped.
"""

import ctypes
import os
import select
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PIDFD_GETFD = 438
"""The same number on every architecture."""
_TIMEVAL = struct.Struct("@ll")


@contextmanager
def borrowed(pid: int, fd: int) -> Iterator[int]:
    """Hold a duplicate of a process's descriptor for a moment.

    Raises:
        OSError: It is closed, the process is gone, or this is not allowed here.
    """
    if sys.platform != "linux":
        raise NotImplementedError(sys.platform)
    process = os.pidfd_open(pid)
    try:
        copy = _syscall(_PIDFD_GETFD, process, fd)
    finally:
        os.close(process)
    try:
        yield copy
    finally:
        os.close(copy)


def is_full(pid: int, fd: int) -> bool:
    """Is there no room to write to this pipe or socket? False too if that cannot be told."""
    if sys.platform != "linux":
        raise NotImplementedError(sys.platform)
    try:
        with borrowed(pid, fd) as copy:
            poll = select.poll()
            poll.register(copy, select.POLLOUT)
            return not poll.poll(0)
    except OSError:
        return False


def time_limits(pid: int, fd: int) -> tuple[float, float] | None:
    """Read the limits of a socket for receiving and sending, in seconds, 0.0 for none."""
    if sys.platform != "linux":
        raise NotImplementedError(sys.platform)
    try:
        with borrowed(pid, fd) as copy:
            duplicate = socket.socket(fileno=copy)
            try:
                return _limit(duplicate, socket.SO_RCVTIMEO), _limit(duplicate, socket.SO_SNDTIMEO)
            finally:
                duplicate.detach()  # the descriptor is closed by who borrowed it
    except OSError:
        return None


def _limit(duplicate: socket.socket, option: int) -> float:
    data = duplicate.getsockopt(socket.SOL_SOCKET, option, _TIMEVAL.size)
    whole, micros = _TIMEVAL.unpack(data)
    return float(whole) + float(micros) / 1e6


def _syscall(number: int, first: int, second: int) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    result = int(library.syscall(ctypes.c_long(number), first, second, 0))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
