"""Calls with what their arguments point to."""

import struct

import pytest

from hangbisect.host.clocks import Clocks
from hangbisect.host.decode import Scene, decode, is_vfork
from hangbisect.host.line import Line, first_call
from hangbisect.host.maps import Maps
from hangbisect.host.words import Place
from hangbisect.model import Call
from tests.unit.host._memory import memory, timespec, words

HERE = 0x5000
CLOCKS = Clocks(began=100.0, monotonic=110.0, realtime=2000.0, boottime=510.0)


def decoded(name: str, *arguments: int, data: bytes = b"") -> Call:
    line = Line(name=name, arguments=(*arguments, 0, 0, 0, 0, 0, 0)[:6], stack=1)
    scene = Scene(
        place=Place(maps=Maps(), executable=""),
        clocks=CLOCKS,
        read=memory({HERE: data}),
        folder=lambda fd: "/work" if fd is None else f"/folder{fd}",
        named=lambda fd: {9: 4711}.get(fd),
    )
    return decode(line, first_call(line), scene)


def test_poll_waits_for_the_descriptors_that_are_not_switched_off() -> None:
    data = struct.pack("<ihhihhihh", 3, 1, 0, -1, 1, 0, 5, 4, 0)

    call = decoded("poll", HERE, 3, 0xFFFFFFFF, data=data)

    assert (call.descriptors, call.writes, call.timed) == ((3, 5), False, False)


def test_poll_for_room_only_writes() -> None:
    call = decoded("poll", HERE, 1, 1000, data=struct.pack("<ihh", 3, 4, 0))

    assert (call.writes, call.interval) == (True, 1.0)


def test_ppoll_reads_its_limit_from_memory() -> None:
    data = struct.pack("<ihh", 3, 1, 0) + timespec(2, 500_000_000)

    call = decoded("ppoll", HERE, 1, HERE + 8, data=data)

    assert (call.descriptors, call.timed, call.interval) == ((3,), True, 2.5)


def test_select_waits_for_the_union_of_its_sets() -> None:
    data = struct.pack("<QQ", 1 << 3 | 1 << 5, 1 << 7) + struct.pack("<qq", 1, 250_000)

    call = decoded("select", 8, HERE, HERE + 8, 0, HERE + 16, data=data)

    assert (call.descriptors, call.writes, call.interval) == ((3, 5, 7), False, 1.25)


@pytest.mark.parametrize(
    ("clock", "wanted", "deadline"),
    [
        pytest.param(1, 115.5, 15.5, id="monotonic"),
        pytest.param(0, 2003.0, 13.0, id="realtime"),
        pytest.param(7, 511.0, 11.0, id="boottime"),
        pytest.param(11, 511.0, None, id="a clock that we cannot compare"),
    ],
)
def test_an_absolute_sleep_has_a_deadline_on_the_targets_scale(
    clock: int, wanted: float, deadline: float | None
) -> None:
    data = timespec(int(wanted), int(wanted % 1 * 1e9))

    call = decoded("clock_nanosleep", clock, 1, HERE, data=data)

    assert (call.timed, call.deadline, call.interval) == (True, deadline, None)


def test_a_relative_sleep_has_a_length() -> None:
    call = decoded("clock_nanosleep", 1, 0, HERE, data=timespec(30, 0))

    assert (call.deadline, call.interval) == (None, 30.0)


@pytest.mark.parametrize(
    ("name", "arguments", "path"),
    [
        pytest.param("openat", (0xFFFFFF9C, HERE), "/work/a/b", id="below the working directory"),
        pytest.param("newfstatat", (4, HERE), "/folder4/a/b", id="below a folder"),
        pytest.param("open", (HERE,), "/work/a/b", id="the old call"),
        pytest.param("openat", (0xFFFFFF9C, 0x1), None, id="not readable"),
    ],
)
def test_a_path_is_made_absolute(name: str, arguments: tuple[int, ...], path: str | None) -> None:
    assert decoded(name, *arguments, data=b"a/b\0rest").path == path


@pytest.mark.parametrize(
    ("data", "address"),
    [
        pytest.param(b"\x02\0\x1f\x90\x7f\0\0\x01", "127.0.0.1:8080", id="IPv4"),
        pytest.param(b"\x0a\0\0\x50" + bytes(4 + 15) + b"\x01", "[::1]:80", id="IPv6"),
        pytest.param(b"\x01\0/run/x.sock\0", "/run/x.sock", id="Unix"),
        pytest.param(b"\x01\0\0hidden", "@hidden", id="abstract"),
        pytest.param(b"\x11\0\0\0\0\0", None, id="another family"),
    ],
)
def test_connect_names_its_peer(data: bytes, address: str | None) -> None:
    call = decoded("connect", 3, HERE, len(data), data=data)

    assert (call.address, call.descriptors) == (address, (3,))


def test_a_child_may_be_named_by_a_descriptor() -> None:
    assert decoded("waitid", 3, 9).child == 4711


@pytest.mark.parametrize(
    ("operation", "timed", "deadline", "interval"),
    [
        pytest.param(128, True, None, 12.0, id="wait: relative"),
        pytest.param(128 | 9, True, 2.0, None, id="bitset: monotonic"),
        pytest.param(128 | 256 | 9, True, -1978.0, None, id="bitset: realtime"),
        pytest.param(128 | 6, True, -1978.0, None, id="priority inheritance: realtime"),
    ],
)
def test_a_futex_limit_counts_on_the_clock_of_its_operation(
    operation: int, timed: bool, deadline: float | None, interval: float | None
) -> None:
    seconds = 102 if operation & 0x7F == 9 and not operation & 256 else 12

    call = decoded("futex", HERE + 16, operation, 0, HERE, data=timespec(seconds, 0) + words(0))

    assert (call.timed, call.interval) == (timed, interval)
    assert call.deadline == (None if deadline is None else pytest.approx(deadline))
    assert call.word is not None


def test_a_wake_is_no_wait() -> None:
    assert decoded("futex", HERE, 1, 1, data=words(1)).word is None


def test_of_several_futexes_no_owner_is_claimed() -> None:
    waiter = struct.pack("<QQII", 2, HERE + 24, 130, 0)

    call = decoded("futex_waitv", HERE, 2, data=waiter + words(2, 0, 7, 1, 0))

    assert call.word is not None
    assert (call.word.values[0], call.word.owner) == (2, None)


@pytest.mark.parametrize(
    ("name", "argument", "answer"),
    [
        pytest.param("vfork", 0, True, id="vfork"),
        pytest.param("clone", 0x4111, True, id="clone that waits"),
        pytest.param("clone", 0x11, False, id="plain fork"),
        pytest.param("clone3", HERE, True, id="clone3 that waits"),
        pytest.param("read", 0x4111, False, id="another call"),
    ],
)
def test_a_parent_that_waits_for_exec_is_known(name: str, argument: int, answer: bool) -> None:
    line = Line(name=name, arguments=(argument, 0, 0, 0, 0, 0))

    assert is_vfork(line, memory({HERE: struct.pack("<Q", 0x4100)})) is answer
