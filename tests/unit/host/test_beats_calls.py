import struct

import pytest

from hangbisect.host.beat_calls import Named, asks_for_error, fold, is_restartable, named
from hangbisect.host.line import Line
from hangbisect.model import Beat

AT_FDCWD = (1 << 32) - 100
MEMORY = {
    16: b"/tmp/lock\0",
    32: b"lock\0",
    48: b"\0",
    64: struct.pack("<H", 2) + struct.pack("!H", 29500) + bytes([127, 0, 0, 1]) + bytes(8),
    128: b"unfinished",
}
PLACES = {None: "/work dir", 3: "/tmp/held (deleted)", 4: "socket:[9]", 5: "/folder"}


def read(address: int, size: int) -> bytes:
    return MEMORY.get(address, b"")[:size]


def place(fd: int | None) -> str:
    return PLACES.get(fd, "")


SLEEPS = {
    "nanosleep": (Line(name="nanosleep", arguments=(1, 0, 0, 0, 0, 0)), True),
    "clock_nanosleep": (Line(name="clock_nanosleep", arguments=(1, 0, 9, 0, 0, 0)), True),
    "a sleep that was interrupted before": (Line(name="restart_syscall"), True),
    "select with a limit": (Line(name="select", arguments=(0, 0, 0, 0, 9, 0)), True),
    "select without": (Line(name="select", arguments=(0, 0, 0, 0, 0, 0)), False),
    "poll with a limit": (Line(name="poll", arguments=(9, 1, 500, 0, 0, 0)), True),
    "poll without": (Line(name="poll", arguments=(9, 1, 0xFFFFFFFF, 0, 0, 0)), False),
    "futex with a limit": (Line(name="futex", arguments=(9, 0x189, 0, 9, 0, 0)), True),
    "futex without": (Line(name="futex", arguments=(9, 0x189, 0, 0, 0, 0)), False),
    "a futex call that is no wait": (Line(name="futex", arguments=(9, 0x86, 0, 9, 0, 0)), False),
    "epoll_wait, which returns EINTR": (
        Line(name="epoll_wait", arguments=(3, 9, 1, 500, 0, 0)),
        False,
    ),
    "semtimedop, which returns EINTR": (
        Line(name="semtimedop", arguments=(3, 9, 1, 9, 0, 0)),
        False,
    ),
    "a read": (Line(name="read", arguments=(0, 9, 1, 0, 0, 0)), False),
    "a running thread": (Line(name="running"), False),
    "an unreadable one": (Line(name=""), False),
}


@pytest.mark.parametrize(("line", "expected"), SLEEPS.values(), ids=SLEEPS)
def test_only_timed_sleeps_that_go_on_may_be_interrupted(line: Line, expected: bool) -> None:
    assert is_restartable(line) is expected


CALLS = {
    "an absolute path": ("stat", (16,), Named(call="stat", path="/tmp/lock")),
    "a path below the working directory": (
        "newfstatat",
        (AT_FDCWD, 32),
        Named(call="newfstatat", path="/work dir/lock"),
    ),
    "a path below a folder": ("openat", (5, 32), Named(call="openat", path="/folder/lock")),
    "an empty path: the descriptor": ("statx", (3, 48), Named(call="statx", path="/tmp/held")),
    "a descriptor": ("flock", (3,), Named(call="flock", path="/tmp/held")),
    "a descriptor that is no file": ("fstat", (4,), None),
    "fcntl for a lock": ("fcntl", (3, 6), Named(call="fcntl", path="/tmp/held")),
    "fcntl for something else": ("fcntl", (3, 1), None),
    "the path that a link creates": ("link", (32, 16), Named(call="link", path="/tmp/lock")),
    "the path that linkat creates": (
        "linkat",
        (AT_FDCWD, 16, 5, 32),
        Named(call="linkat", path="/folder/lock"),
    ),
    "a peer": ("connect", (4, 64, 16), Named(call="connect", address="127.0.0.1:29500")),
    "an unreadable path": ("stat", (256,), None),
    "a path without an end": ("stat", (128,), None),
    "a call without a name in it": ("getpid", (), None),
    "an unknown call": ("", (), None),
}


@pytest.mark.parametrize(("call", "arguments", "expected"), CALLS.values(), ids=CALLS)
def test_what_a_call_names_is_told(
    call: str, arguments: tuple[int, ...], expected: Named | None
) -> None:
    padded = (*arguments, *[0] * (6 - len(arguments)))

    assert named(call, padded, read, place) == expected


def test_equal_calls_with_equal_results_are_one_beat_with_a_count() -> None:
    stat, connect = Named(call="stat", path="/a"), Named(call="connect", address="h:1")

    beats = fold(1, 2, [(stat, 2), (connect, 111), (stat, 2), (stat, 0)])

    assert beats == (
        Beat(pid=1, tid=2, call="stat", path="/a", error=2, count=2),
        Beat(pid=1, tid=2, call="connect", address="h:1", error=111),
        Beat(pid=1, tid=2, call="stat", path="/a", error=0),
    )


@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("getsockopt", (3, 1, 4, 99, 98, 0), True),
        ("getsockopt", (3, 1, 3, 99, 98, 0), False),
        ("setsockopt", (3, 1, 4, 99, 98, 0), False),
    ],
)
def test_the_question_how_a_connect_ended_is_known(
    call: str, arguments: tuple[int, ...], expected: bool
) -> None:
    assert asks_for_error(call, arguments) is expected
