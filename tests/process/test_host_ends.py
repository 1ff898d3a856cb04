"""Who holds the other end: pipes, sockets, locks and terminals of real processes."""

import fcntl
import os
import pty
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hangbisect.host import Question, this_host
from hangbisect.model import Descriptor, Facts, FileLock, Socket
from tests.process._stuck import eventually
from tests.process.test_host_waits import READY, call_in, facts_of, waiting

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc of Linux")


def descriptors(parts: tuple[Facts, ...]) -> dict[tuple[int, int], Descriptor]:
    return {(row.pid, row.fd): row for part in parts for row in part.descriptors}


def sockets(parts: tuple[Facts, ...]) -> dict[int, Socket]:
    return {row.inode: row for part in parts for row in part.sockets}


def locks(parts: tuple[Facts, ...]) -> list[FileLock]:
    return [row for part in parts for row in part.locks]


def outsiders(parts: tuple[Facts, ...]) -> set[int]:
    return {row.pid for part in parts for row in part.processes if not row.inside}


def test_the_writer_of_a_silent_stdin_is_found() -> None:
    with waiting(READY + "sys.stdin.read()") as pid:
        call, parts = call_in(pid, "read")

    inode = descriptors(parts)[pid, 0].inode
    ends = {(row.pid, row.mode) for row in descriptors(parts).values() if row.inode == inode}
    assert call.descriptors == (0,)
    assert ends == {(pid, "r"), (os.getpid(), "w")}
    assert os.getpid() in outsiders(parts)


def test_our_own_ends_are_left_out() -> None:
    with waiting(READY + "sys.stdin.read()") as pid:
        call_in(pid, "read")
        parts = facts_of(pid, leave_out=(os.getpid(),))

    assert outsiders(parts) == set()
    assert {row.pid for row in descriptors(parts).values()} == {pid}


def test_what_the_target_got_at_its_start_is_marked() -> None:
    with waiting(READY + "sys.stdin.read()") as pid:
        status = Path(f"/proc/{pid}/fd/0").stat()
        parts = facts_of(pid, inherited=((status.st_dev, status.st_ino),))

    marked = {fd for (owner, fd), row in descriptors(parts).items() if row.inherited}
    assert marked == {0}


def test_a_full_pipe_is_seen_to_be_full() -> None:
    code = "r, w = os.pipe()\n" + READY + "os.write(w, bytes(1 << 20))"
    with waiting(code) as pid:
        call, parts = call_in(pid, "write")

    rows = descriptors(parts)
    (fd,) = call.descriptors
    assert (call.writes, rows[pid, fd].mode, rows[pid, fd].full) == (True, "w", True)


def test_a_flock_is_held_by_who_has_the_open_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = READY + "fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX)"
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with waiting(code, str(path)) as pid:
            _, parts = call_in(pid, "flock")

    (lock,) = locks(parts)
    assert (lock.kind, lock.path) == ("flock", str(path))
    assert (lock.holders, lock.waiters) == ((os.getpid(),), (pid,))


def test_a_flock_that_a_child_inherited_is_held_by_the_child(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = READY + "fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX)"
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        child = subprocess.Popen(["sleep", "1000"], pass_fds=(held.fileno(),))
    try:
        with waiting(code, str(path)) as pid:
            _, parts = call_in(pid, "flock")
    finally:
        child.kill()
        child.wait(timeout=20)

    (lock,) = locks(parts)
    assert lock.holders == (child.pid,)


def test_a_posix_lock_is_held_by_who_took_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = READY + "fcntl.lockf(open(sys.argv[1], 'w'), fcntl.LOCK_EX)"
    with path.open("w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        with waiting(code, str(path)) as pid:
            _, parts = call_in(pid, "fcntl")

    (lock,) = locks(parts)
    assert (lock.kind, lock.holders, lock.waiters) == ("posix", (os.getpid(),), (pid,))


def test_two_ends_of_a_socket_pair_know_each_other() -> None:
    with waiting("a, b = socket.socketpair()\n" + READY + "a.recv(1)") as pid:
        call, parts = call_in(pid, "recvfrom")

    near = descriptors(parts)[pid, call.descriptors[0]].inode
    row = sockets(parts)[near]
    assert (row.family, row.state, row.timeout) == ("unix", "ESTABLISHED", 0.0)
    assert sockets(parts)[row.peer or 0].peer == near


def test_a_connection_leads_to_the_process_at_its_other_end() -> None:
    code = "s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n" + READY + "s.recv(1)"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with waiting(code, str(port)) as pid:
            accepted, _ = server.accept()
            with accepted:
                call, parts = call_in(pid, "recvfrom")
                inode = os.fstat(accepted.fileno()).st_ino

    near = sockets(parts)[descriptors(parts)[pid, call.descriptors[0]].inode]
    assert (near.remote, near.peer) == (f"127.0.0.1:{port}", inode)
    assert {row.pid for row in descriptors(parts).values() if row.inode == inode} == {os.getpid()}


def test_a_connection_that_nobody_accepted_leads_to_the_listener() -> None:
    code = "s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n" + READY + "s.recv(1)"
    with socket.create_server(("127.0.0.1", 0)) as server:
        inode = os.fstat(server.fileno()).st_ino
        with waiting(code, str(server.getsockname()[1])) as pid:
            call, parts = call_in(pid, "recvfrom")

    near = sockets(parts)[descriptors(parts)[pid, call.descriptors[0]].inode]
    assert near.peer == inode
    assert sockets(parts)[inode].state == "LISTEN"


def test_a_limit_of_a_socket_is_read() -> None:
    code = (
        "import struct; a, b = socket.socketpair()\n"
        "a.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack('ll', 90, 500000))\n"
    )
    with waiting(code + READY + "os.read(a.fileno(), 1)") as pid:
        call, parts = call_in(pid, "read")

    near = descriptors(parts)[pid, call.descriptors[0]].inode
    assert sockets(parts)[near].timeout == 90.5


def test_a_terminal_is_a_terminal() -> None:
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-S", "-c", "input()"], stdin=theirs, start_new_session=True
        )
        try:
            _, parts = call_in(process.pid, "read")
        finally:
            process.kill()
            process.wait(timeout=20)
        name = os.ttyname(theirs)
    finally:
        os.close(ours)
        os.close(theirs)

    row = descriptors(parts)[process.pid, 0]
    assert (row.kind, row.target) == ("terminal", name)


def test_bytes_that_arrive_are_counted() -> None:
    code = "s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n" + READY + "s.recv(9)"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        with waiting(code + "\ns.recv(1)", port) as pid, server.accept()[0] as accepted:
            accepted.sendall(b"12345")
            sample = eventually(
                lambda: this_host().sample(Question(root=pid)),
                lambda seen: seen.processes[0].received > 0,
            )

    assert sample.processes[0].received == 5
