"""Listening to real polling processes: what is heard, and that they do not notice."""

import fcntl
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hangbisect.host._protocol import Question
from hangbisect.host.beats import beats
from hangbisect.model import Beat, Facts, Gap
from tests.process._stuck import eventually, pythons, state, stopped, stuck

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="listens by ptrace")
every_python = pytest.mark.parametrize("python", pythons().values(), ids=pythons())


def listen(pid: int) -> Facts:
    (facts,) = beats(Question(root=pid, threads=((pid, pid),)))
    return facts


def tracer(pid: int) -> str:
    status = Path(f"/proc/{pid}/status").read_text()
    return status.partition("TracerPid:")[2].split()[0]


def asleep(pid: int) -> None:
    eventually(lambda: state(pid), lambda letter: letter == "S")


@every_python
def test_the_polled_path_is_heard_with_its_result(python: str, tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    lock.touch()

    with stuck(python, "polls_file.py", str(lock)) as process:
        asleep(process.pid)
        facts = listen(process.pid)
        after = tracer(process.pid)

    (beat,) = facts.beats
    assert (beat.path, beat.error, beat.count) == (str(lock), 0, 3)
    assert "stat" in beat.call
    assert facts.gaps == ()
    assert after == "0"


@every_python
def test_a_lock_that_is_tried_again_and_again_is_heard(python: str, tmp_path: Path) -> None:
    path = tmp_path / "held"
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with stuck(python, "polls_flock.py", str(path)) as process:
            asleep(process.pid)
            facts = listen(process.pid)

    assert facts.beats == (
        Beat(pid=process.pid, tid=process.pid, call="flock", path=str(path), error=11, count=3),
    )


@every_python
def test_a_sleep_is_neither_cut_short_nor_drawn_out(python: str) -> None:
    with stuck(python, "counts_beats.py") as process:
        assert process.stdout is not None
        asleep(process.pid)
        listen(process.pid)
        slept = [float(process.stdout.readline()) for _ in range(4)]

    assert min(slept) >= 0.1
    assert max(slept) < 0.3


def test_a_call_that_would_return_eintr_is_left_alone() -> None:
    with stuck(sys.executable, "waits_in_epoll.py") as process:
        asleep(process.pid)
        facts = listen(process.pid)
        is_alive = process.poll() is None

    assert facts.beats == ()
    assert [gap.why for gap in facts.gaps] == [
        "it is in no timed sleep that could be interrupted without harm"
    ]
    assert is_alive


def test_a_stopped_thread_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()

    with (
        stuck(sys.executable, "polls_file.py", str(tmp_path / "lock")) as process,
        stopped(process.pid),
    ):
        facts = listen(process.pid)
        after = state(process.pid)

    assert facts.beats == ()
    assert len(facts.gaps) == 1
    assert after == "T"


@pytest.mark.parametrize("moment", ["run", "stop"])
def test_a_target_goes_on_when_its_listener_is_killed(moment: str) -> None:
    with stuck(sys.executable, "counts_beats.py") as process:
        assert process.stdout is not None
        with stuck(sys.executable, "listens.py", str(process.pid), moment) as listener:
            traced = tracer(process.pid)
            listener.send_signal(signal.SIGKILL)
            listener.wait()
        lines = [process.stdout.readline() for _ in range(8)]
        after = eventually(lambda: state(process.pid), lambda letter: letter == "S")

    assert traced != "0"
    assert all(lines)
    assert after == "S"


def test_a_target_that_somebody_traces_already_is_a_gap_that_names_him() -> None:
    with (
        stuck(sys.executable, "counts_beats.py") as process,
        stuck(sys.executable, "listens.py", str(process.pid), "run") as other,
    ):
        by = tracer(process.pid)
        facts = listen(process.pid)
        other.kill()

    (gap,) = facts.gaps
    assert gap == Gap(
        what=f"what thread {process.pid} of process {process.pid} polls",
        why=f"process {by} is attached to process {process.pid} as a debugger, and only one can be",
        remedy=f"Detach process {by}, then look again.",
    )


def test_signals_that_arrive_meanwhile_reach_the_target() -> None:
    code = (
        "import signal, time\n"
        "signal.signal(signal.SIGUSR1, lambda *_: print('caught', flush=True))\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(0.05)\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            with stuck(sys.executable, "listens.py", str(process.pid), "run") as listener:
                process.send_signal(signal.SIGUSR1)
                answer = process.stdout.readline()
                listener.kill()
        finally:
            process.kill()

    assert answer == "caught\n"


@pytest.mark.parametrize("timeout", ["None", "5"])
def test_a_refused_connection_is_heard_with_its_address(timeout: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
    code = (
        "import socket, time\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        f"    with socket.socket() as s: s.settimeout({timeout}), s.connect_ex({address!r})\n"
        "    time.sleep(0.05)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            asleep(process.pid)
            facts = listen(process.pid)
        finally:
            process.kill()

    (beat,) = facts.beats
    assert (beat.call, beat.address, beat.error) == ("connect", "{}:{}".format(*address), 111)
