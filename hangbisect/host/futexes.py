"""The arguments of the futex calls: futex(2), and futex_waitv and futex_wait of newer kernels."""

import struct
from collections.abc import Iterator

import msgspec

from hangbisect.host.clocks import Clocks, seconds
from hangbisect.host.line import Line, signed
from hangbisect.host.maps import Read
from hangbisect.host.words import Place, Wait, read_word

FUTEXES = frozenset({"futex", "futex_waitv", "futex_wait"})

_PRIVATE = 128
_REALTIME = 256
_COMMANDS = 0x7F
_WAIT, _LOCK_PI, _WAIT_BITSET, _WAIT_REQUEUE_PI, _LOCK_PI2 = 0, 6, 9, 11, 13
_WAITS = frozenset({_WAIT, _LOCK_PI, _WAIT_BITSET, _WAIT_REQUEUE_PI, _LOCK_PI2})
_INHERIT = frozenset({_LOCK_PI, _LOCK_PI2})
_MASK = 0xFFFF_FFFF
_CLOCK_REALTIME, _CLOCK_MONOTONIC = 0, 1
_TIMESPEC = struct.Struct("<qq")
_WAITER = struct.Struct("<QQII")


def futex_parts(
    line: Line, place: Place, clocks: Clocks, read: Read
) -> Iterator[tuple[str, object]]:
    """Give the fields of a `Call` that a futex call fills: the word and the time limit."""
    match line.name:
        case "futex_waitv":
            yield from _many(line, place, clocks, read)
        case "futex_wait":
            address, expected, _, flags, limit, clock = line.arguments
            wait = Wait(address=address, expected=expected & _MASK, private=bool(flags & _PRIVATE))
            yield "word", read_word(wait, place, read)
            yield from _until(limit, signed(clock), clocks, read)
        case _:
            yield from _classic(line, place, clocks, read)


def _classic(line: Line, place: Place, clocks: Clocks, read: Read) -> Iterator[tuple[str, object]]:
    address, operation, expected, limit = line.arguments[:4]
    command = operation & _COMMANDS
    if command not in _WAITS:
        return
    wait = Wait(
        address=address,
        expected=expected & _MASK,
        private=bool(operation & _PRIVATE),
        inherits=command in _INHERIT,
    )
    yield "word", read_word(wait, place, read)
    if command == _WAIT:
        yield from _within(limit, read)
        return
    # FUTEX_LOCK_PI always counts on the realtime clock: futex(2).
    real = command == _LOCK_PI or operation & _REALTIME
    yield from _until(limit, _CLOCK_REALTIME if real else _CLOCK_MONOTONIC, clocks, read)


def _many(line: Line, place: Place, clocks: Clocks, read: Read) -> Iterator[tuple[str, object]]:
    """Describe the first of several words. Any of them ends the wait: no owner is claimed."""
    data = read(line.arguments[0], _WAITER.size)
    if len(data) == _WAITER.size:
        expected, address, flags, _ = _WAITER.unpack(data)
        wait = Wait(address=address, expected=expected & _MASK, private=bool(flags & _PRIVATE))
        word = read_word(wait, place, read)
        yield "word", msgspec.structs.replace(word, owner=None, joins=None)
    yield from _until(line.arguments[3], signed(line.arguments[4]), clocks, read)


def _within(address: int, read: Read) -> Iterator[tuple[str, object]]:
    if address:
        yield "timed", True
        limit = _seconds_at(address, read)
        yield "interval", limit


def _until(address: int, clock: int, clocks: Clocks, read: Read) -> Iterator[tuple[str, object]]:
    if address:
        yield "timed", True
        limit = _seconds_at(address, read)
        yield "deadline", None if limit is None else clocks.deadline(clock, limit)


def _seconds_at(address: int, read: Read) -> float | None:
    data = read(address, _TIMESPEC.size)
    return seconds(*_TIMESPEC.unpack(data)) if len(data) == _TIMESPEC.size else None
