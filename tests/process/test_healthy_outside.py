"""Healthy programs that somebody outside goes on with: a client, a writer, a holder of a lock."""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.process._healthy import FINE, PROGRAMS, Started, first_of, groups, outcomes, start

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")


@dataclass(frozen=True)
class Outside:
    """What we have ready for a program, to go on with it in a while."""

    path: Path
    lock: int
    """A descriptor of the path with both kinds of lock on it; -1 if the program makes the path."""
    slow: tuple[int, int]
    friend: socket.socket


@pytest.fixture
def kept() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def surround(name: str, folder: Path, kept: ExitStack) -> Outside:
    """Prepare a path, a pipe and a friend."""
    path, lock = folder / name / "path", -1
    path.parent.mkdir()
    if "fifo" in name:
        os.mkfifo(path)
    if "lock" in name:
        lock = os.open(path, os.O_RDWR | os.O_CREAT)
        fcntl.flock(lock, fcntl.LOCK_EX)
        fcntl.lockf(lock, fcntl.LOCK_EX)
    friend = kept.enter_context(socket.socket(socket.AF_UNIX))
    friend.bind("")  # the kernel gives it an abstract name: unix(7)
    friend.listen()
    return Outside(path=path, lock=lock, slow=os.pipe(), friend=friend)


def begin(name: str, around: Outside) -> Started:
    """Start a program in its surroundings."""
    reading = around.slow[0]
    address = around.friend.getsockname()[1:].decode()
    arguments = (name, str(around.path), str(reading), address)
    slow_input = "input" in name
    return start(
        (str(PROGRAMS / "descriptors.py"), *arguments),
        around.path.parent / "report.json",
        stdin=reading if slow_input else None,
        pass_fds=(reading,) if "pipe" in name and not slow_input else (),
    )


def go_on(each: Started, around: Outside, given: list[int]) -> None:
    """Do what the program waits for."""
    match each.words:
        case ("connect", port):
            socket.create_connection(("127.0.0.1", int(port))).close()
        case ("datagram", port):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.sendto(b"x", ("127.0.0.1", int(port)))
        case ("input",) | ("pipe",):
            os.write(around.slow[1], b"x\n")
        case ("fifo",) | ("file",):
            around.path.write_text("x")
        case ("lock",):
            os.close(around.lock)
        case ("friend",):
            os.write(given[0], (1).to_bytes(8, "little"))


def take(friend: socket.socket) -> list[int]:
    """Take the descriptors that a program gives to its friend."""
    with friend.accept()[0] as connection:
        return socket.recv_fds(connection, 1, 1)[1]


@pytest.mark.parametrize("names", groups("descriptors.py"), ids=first_of)
def test_what_somebody_outside_will_end_is_not_called_hung(
    names: tuple[str, ...], tmp_path: Path, kept: ExitStack
) -> None:
    around = {name: surround(name, tmp_path, kept) for name in names}
    started, given = {}, {}
    for name, each in around.items():
        started[name] = begin(name, each)
        given[name] = take(each.friend) if started[name].words == ("friend",) else []
    names_of = {each.pid: name for name, each in started.items()}

    found = outcomes(
        started, lambda each: go_on(each, around[name := names_of[each.pid]], given[name])
    )

    assert found == dict.fromkeys(names, FINE)
