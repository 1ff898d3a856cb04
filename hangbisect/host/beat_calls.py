"""Which calls of a polling thread are worth telling, and which sleeps may be interrupted: pure."""

import os.path
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from hangbisect.host.addresses import parse_address
from hangbisect.host.calls import PATHS, PathArgument
from hangbisect.host.line import Line, signed
from hangbisect.host.maps import Read
from hangbisect.host.memory import text_at
from hangbisect.model import Beat
from hangbisect.model._struct import Data

_CREATES: Mapping[str, PathArgument] = {
    "link": PathArgument(path=1),
    "symlink": PathArgument(path=1),
    "linkat": PathArgument(path=3, folder=2),
    "symlinkat": PathArgument(path=2, folder=1),
}
"""Calls with two paths, of which the one that they create is polled."""
_BY_DESCRIPTOR = frozenset({"flock", "fstat", "getdents64", "fcntl"})
_LOCK_COMMANDS = frozenset({6, 7, 37, 38})
"""F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW (asm-generic/fcntl.h)."""
_AT_FDCWD = -100
_LONGEST_ADDRESS = 128
_SOL_SOCKET, _SO_ERROR = 1, 4
"""asm-generic/socket.h: x86-64 and aarch64."""
_TIMEOUTS = {"poll": 2, "ppoll": 2, "select": 4, "pselect6": 4, "futex": 3}
"""Argument that limits the wait; no limit is a null pointer, for poll a negative number."""
_FUTEX_WAITS = frozenset({0, 9})
"""FUTEX_WAIT, FUTEX_WAIT_BITSET; a mask takes off the flags for the clock and for privacy."""
_FUTEX_COMMAND = 0x7F


class Named(Data, frozen=True, kw_only=True):
    """A call with what it names."""

    call: str
    path: str | None = None
    address: str | None = None


def is_restartable(line: Line) -> bool:
    """Tell whether the thread is in a timed sleep that goes on as before when interrupted.

    Sleeping, poll, select and futex with a time limit do (signal(7); ppoll and pselect6 write back
    what is left); epoll_wait, semtimedop and accept with a time limit return EINTR instead.
    """
    if line.name in ("nanosleep", "clock_nanosleep", "restart_syscall"):
        return True
    argument = _TIMEOUTS.get(line.name)
    if argument is None:
        return False
    limit = line.arguments[argument]
    if line.name == "poll":
        return signed(limit) > 0
    if line.name == "futex":
        return limit != 0 and line.arguments[1] & _FUTEX_COMMAND in _FUTEX_WAITS
    return limit != 0


def named(
    call: str, arguments: tuple[int, ...], read: Read, place: Callable[[int | None], str]
) -> Named | None:
    """Say which path or address a call names; None if it names none that can be read.

    Args:
        call: The kernel's name of the call.
        arguments: Its six arguments.
        read: Reads the caller's memory.
        place: Path of one of its descriptors; of its working directory for None.
    """
    if call == "connect":
        data = read(arguments[1], min(arguments[2], _LONGEST_ADDRESS))
        address = parse_address(data)
        return Named(call=call, address=address) if address else None
    path = _path(call, arguments, read, place)
    return Named(call=call, path=path) if path else None


def asks_for_error(call: str, arguments: tuple[int, ...]) -> bool:
    """Tell whether the call asks how a connect that did not wait has ended: socket(7), SO_ERROR.

    Its first argument is the socket, its fourth where the errno is to be written.
    """
    return call == "getsockopt" and arguments[1:3] == (_SOL_SOCKET, _SO_ERROR)


def fold(pid: int, tid: int, heard: Iterable[tuple[Named, int]]) -> tuple[Beat, ...]:
    """Count equal calls with equal results (0 or errno), in the order in which they came first."""
    return tuple(
        Beat(
            pid=pid,
            tid=tid,
            call=seen.call,
            path=seen.path,
            address=seen.address,
            error=error,
            count=count,
        )
        for (seen, error), count in Counter(heard).items()
    )


def _path(
    call: str, arguments: tuple[int, ...], read: Read, place: Callable[[int | None], str]
) -> str | None:
    if call in _BY_DESCRIPTOR:
        is_other = call == "fcntl" and arguments[1] not in _LOCK_COMMANDS
        return None if is_other else _file(place(signed(arguments[0])))
    where = _CREATES.get(call) or PATHS.get(call)
    text = None if where is None else text_at(read, arguments[where.path])
    if where is None or text is None:
        return None
    if os.path.isabs(text):
        return text
    fd = _AT_FDCWD if where.folder is None else signed(arguments[where.folder])
    folder = place(None if fd == _AT_FDCWD else fd)
    # An empty text stands for the descriptor itself (AT_EMPTY_PATH).
    return os.path.normpath(os.path.join(folder, text)) if text else _file(folder)


def _file(target: str) -> str | None:
    """Take a descriptor's target if it is a path: not a pipe or a socket."""
    return target.removesuffix(" (deleted)") if target.startswith("/") else None
