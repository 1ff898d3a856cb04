"""The target below the keeper: its end, its signals, what it leaves, who goes on alone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process.below_a_keeper import Run, command, is_gone, running, state, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the keeper is for Linux")
READY = "import os, sys, time; print('ready', flush=True); "
SLEEPER = [sys.executable, "-c", READY + "time.sleep(60)"]


def wait_ready(run: Run) -> None:
    assert run.process.stdout.readline() == b"ready\n"


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("exit 0", 0),
        ("exit 7", 7),
        ("kill -TERM $$", -signal.SIGTERM),
        ("kill -KILL $$", -signal.SIGKILL),
        ("kill -ABRT $$", -signal.SIGABRT),
        ("kill -INT $$", -signal.SIGINT),
    ],
)
def test_the_front_ends_as_the_target_did(tmp_path: Path, script: str, status: int) -> None:
    done = subprocess.run(
        command(tmp_path / "notes", ["/bin/sh", "-c", script]), timeout=20, capture_output=True
    )

    assert (done.returncode, done.stdout, done.stderr) == (status, b"", b"")


def test_a_program_that_cannot_be_executed_is_an_error_with_the_reason(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path / "notes", ["no-such-program"]), timeout=20, capture_output=True
    )

    assert done.stderr == b"parent: no-such-program cannot be started: No such file or directory\n"
    assert done.returncode == 1


STATE = """
import os, signal
print(sorted(int(n) for n in signal.valid_signals() if signal.getsignal(n) == signal.SIG_IGN))
print(sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ()))))
print([f for f in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{f}")])
print(os.getpgrp() == os.getpgid(os.getppid()), os.getsid(0), os.getcwd(), os.environ)
print(open("/proc/self/status").read().split("SigBlk")[1].splitlines()[:3])
"""


@pytest.mark.parametrize("prefix", ["", "trap '' HUP INT USR1 CHLD; ", "exec 9</dev/null; "])
def test_the_target_gets_what_it_gets_bare(tmp_path: Path, prefix: str) -> None:
    target = [sys.executable, "-c", STATE]

    seen = [
        subprocess.run(
            ["/bin/sh", "-c", f'{prefix}"$@"; exit $?', "sh", *argv],
            timeout=20,
            capture_output=True,
        )
        for argv in (target, command(tmp_path / "notes", target))
    ]

    assert seen[1].stdout == seen[0].stdout
    assert seen[1].stderr == seen[0].stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT])
def test_a_signal_from_a_process_is_forwarded(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path / "notes", SLEEPER) as run:
        wait_ready(run)

        run.process.send_signal(number)

        assert run.process.wait(15) == -number
        assert f"signal={int(number)}" in run.wait_for("Signalled")


COUNTER = READY.replace(
    "print", "import signal; c = []; signal.signal(2, lambda *a: c.append(1)); print"
)


@pytest.mark.parametrize("to_group", [False, True], ids=["to the front", "to the whole group"])
def test_an_interrupt_reaches_the_target_once(tmp_path: Path, to_group: bool) -> None:
    target = [sys.executable, "-c", COUNTER + "time.sleep(1) or time.sleep(0.5); sys.exit(len(c))"]
    with running(tmp_path / "notes", target) as run:
        wait_ready(run)

        (os.killpg if to_group else os.kill)(run.pids[0], signal.SIGINT)

        assert run.process.wait(15) == 1
        assert run.wait_for("Interrupted") == "Interrupted(by_terminal=False, count=1)"


def test_the_target_goes_on_when_the_front_is_killed(tmp_path: Path) -> None:
    with running(tmp_path / "notes", SLEEPER) as run:
        wait_ready(run)
        front, keeper, target = run.pids

        os.kill(front, signal.SIGKILL)

        wait_until(lambda: is_gone(front) and is_gone(keeper))
        assert state(target) in "SR"


def test_the_exit_status_is_right_when_the_keeper_is_killed(tmp_path: Path) -> None:
    target = [sys.executable, "-c", READY + "time.sleep(1); sys.exit(9)"]
    with running(tmp_path / "notes", target) as run:
        wait_ready(run)

        os.kill(run.pids[1], signal.SIGKILL)

        assert "somebody else ended it" in run.wait_for("KeeperLost")
        assert run.process.wait(15) == 9


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    open(sys.argv[1], "w").write(str(os.getpid()))
    os.rename(sys.argv[1], sys.argv[1] + ".ready")
    for fd in (0, 1, 2):
        os.close(fd)
    time.sleep(60)
os.wait()
while not os.path.exists(sys.argv[1] + ".ready"):
    time.sleep(0.01)
"""


def daemon_of(folder: Path) -> int:
    return int(
        wait_until(lambda: (folder / "pid.ready").exists() and (folder / "pid.ready").read_text())
    )


def test_a_daemon_that_the_target_leaves_is_left(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path / "notes", [sys.executable, "-c", DAEMON, str(tmp_path / "pid")]),
        timeout=20,
    )

    daemon = daemon_of(tmp_path)
    assert state(daemon) == "S"
    assert done.returncode == 0
    os.kill(daemon, signal.SIGKILL)


@pytest.mark.parametrize("lost", [False, True], ids=["by the keeper", "by the front"])
def test_the_ending_ends_daemons_stopped_ones_and_those_that_ignore_signals(
    tmp_path: Path, lost: bool
) -> None:
    script = (
        DAEMON + "import subprocess; p = subprocess.Popen(['sleep', '60']); p.send_signal(19)\n"
        "import signal; signal.pthread_sigmask(0, set(range(1, 65)) - {32, 33})\n"
        "print('ready', flush=True); p.wait()"
    )
    target = [sys.executable, "-c", script, str(tmp_path / "pid")]
    with running(tmp_path / "notes", target, "--end-after", "2") as run:
        wait_ready(run)
        daemon = daemon_of(tmp_path)
        if lost:
            os.kill(run.pids[1], signal.SIGKILL)

        assert run.process.wait(15) == -signal.SIGKILL

        assert is_gone(daemon)
        assert "left=(), status=9" in run.wait_for("Ended")
        assert f"killed=({run.pids[2]}, " in run.wait_for("Ended")


def test_a_stop_and_a_continuation_of_the_target_are_told(tmp_path: Path) -> None:
    with running(tmp_path / "notes", SLEEPER) as run:
        wait_ready(run)
        target = run.pids[2]

        os.kill(target, signal.SIGSTOP)
        assert run.wait_for("Stopped") == f"Stopped(pid={target}, signal=19)"
        os.kill(target, signal.SIGCONT)

        assert run.wait_for("Continued") == f"Continued(pid={target})"
