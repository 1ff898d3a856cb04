"""A blocked call with what its arguments point to, read from the process's memory."""

import os.path
import struct
from collections.abc import Callable, Iterator

import msgspec

from hangbisect.host.addresses import parse_address
from hangbisect.host.calls import LIMITS, PATHS, POLLS, SELECTS
from hangbisect.host.clocks import Clocks, seconds
from hangbisect.host.futexes import FUTEXES, futex_parts
from hangbisect.host.line import Line, signed
from hangbisect.host.maps import Read
from hangbisect.host.memory import text_at
from hangbisect.host.words import Place
from hangbisect.model import Call
from hangbisect.model._struct import Data

Parts = Iterator[tuple[str, object]]
"""Fields of a `Call` with their values."""

_POLLFD = struct.Struct("<ihh")
_POLLOUT = 0x0004
_TIMESPEC = struct.Struct("<qq")
_MICROSECONDS = 1e6
_TIMER_ABSTIME = 1
_MOST_POLLED = 1024
_LONGEST_ADDRESS = 128
"""Size of sockaddr_storage."""
_AT_FDCWD = -100
_CLONE_VFORK = 0x4000
_P_PIDFD = 3


class Scene(Data, frozen=True, kw_only=True):
    """What a decoder may ask of the process."""

    place: Place
    clocks: Clocks
    read: Read
    folder: Callable[[int | None], str]
    """Path of a folder's descriptor; of the working directory for None."""
    named: Callable[[int], int | None]
    """The process that a pidfd names."""


def decode(line: Line, call: Call, scene: Scene) -> Call:
    """Add to what a call's arguments say what they point to. Ids are as the process knows them."""
    if not line.arguments:
        return call
    changes = {key: value for part in _PARTS for key, value in part(line, scene)}
    return msgspec.structs.replace(call, **changes)


def _futex(line: Line, scene: Scene) -> Parts:
    if line.name in FUTEXES:
        yield from futex_parts(line, scene.place, scene.clocks, scene.read)


def _polled(line: Line, scene: Scene) -> Parts:
    if line.name not in POLLS:
        return
    count = min(line.arguments[1], _MOST_POLLED)
    data = scene.read(line.arguments[0], count * _POLLFD.size)
    whole = data[: len(data) // _POLLFD.size * _POLLFD.size]
    wanted = [(fd, events) for fd, events, _ in _POLLFD.iter_unpack(whole) if fd >= 0]
    yield "descriptors", tuple(fd for fd, _ in wanted)
    yield "writes", bool(wanted) and all(events == _POLLOUT for _, events in wanted)


def _selected(line: Line, scene: Scene) -> Parts:
    if line.name not in SELECTS:
        return
    count = min(max(signed(line.arguments[0]), 0), _MOST_POLLED)
    sets = [_set_at(scene.read, address, count) for address in line.arguments[1:4]]
    yield "descriptors", tuple(sorted(set().union(*sets)))
    yield "writes", bool(sets[1]) and not sets[0] and not sets[2]


def _set_at(read: Read, address: int, count: int) -> set[int]:
    bits = int.from_bytes(read(address, (count + 7) // 8), "little") if address else 0
    return {fd for fd in range(count) if bits >> fd & 1}


def _relative_limit(line: Line, scene: Scene) -> Parts:
    limit = LIMITS.get(line.name)
    if limit is None or limit.unit == "milliseconds" or not line.arguments[limit.argument]:
        return
    data = scene.read(line.arguments[limit.argument], _TIMESPEC.size)
    if len(data) == _TIMESPEC.size:
        whole, rest = _TIMESPEC.unpack(data)
        small = limit.unit == "timeval"
        yield "interval", whole + rest / _MICROSECONDS if small else seconds(whole, rest)


def _clock_sleep(line: Line, scene: Scene) -> Parts:
    if line.name != "clock_nanosleep":
        return
    clock, flags, address = signed(line.arguments[0]), line.arguments[1], line.arguments[2]
    data = scene.read(address, _TIMESPEC.size)
    if len(data) < _TIMESPEC.size:
        return
    wanted = seconds(*_TIMESPEC.unpack(data))
    if flags & _TIMER_ABSTIME:
        yield "deadline", scene.clocks.deadline(clock, wanted)
    else:
        yield "interval", wanted


def _path(line: Line, scene: Scene) -> Parts:
    where = PATHS.get(line.name)
    text = None if where is None else text_at(scene.read, line.arguments[where.path])
    if where is None or text is None:
        return
    fd = _AT_FDCWD if where.folder is None else signed(line.arguments[where.folder])
    yield "path", text if os.path.isabs(text) else _below(scene, fd, text)


def _below(scene: Scene, fd: int, text: str) -> str:
    folder = scene.folder(None if fd == _AT_FDCWD else fd)
    return os.path.normpath(os.path.join(folder, text)) if text else folder


def _peer(line: Line, scene: Scene) -> Parts:
    where = {"connect": (1, 2), "sendto": (4, 5)}.get(line.name)
    if where is None or not line.arguments[where[0]]:
        return
    size = min(line.arguments[where[1]], _LONGEST_ADDRESS)
    yield "address", parse_address(scene.read(line.arguments[where[0]], size))


def is_vfork(line: Line, read: Read) -> bool:
    """Does a parent wait here until its child has called exec or ended, clone(2)?"""
    if line.name == "vfork":
        return True
    flags = line.arguments[0] if line.name == "clone" else 0
    if line.name == "clone3":
        flags = int.from_bytes(read(line.arguments[0], 8), "little")
    return bool(flags & _CLONE_VFORK)


def _child_by_descriptor(line: Line, scene: Scene) -> Parts:
    if line.name == "waitid" and signed(line.arguments[0]) == _P_PIDFD:
        yield "child", scene.named(signed(line.arguments[1]))


_PARTS = (
    _futex,
    _polled,
    _selected,
    _relative_limit,
    _clock_sleep,
    _path,
    _peer,
    _child_by_descriptor,
)
