"""`hangbisect attach`: programs that were started without us are judged, and left as they were."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.process._stuck import PROGRAMS, eventually, state

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
LIMIT = 50
KEPT = ("State", "TracerPid", "SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt")
"""Lines of /proc/PID/status that must be the same afterwards."""


@contextmanager
def program(file: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a program that says "ready"; end it and its children afterwards."""
    command = [sys.executable, "-u", str(PROGRAMS / file), *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            with suppress(psutil.NoSuchProcess):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
            process.kill()


def attach(pid: int, folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Attach; what is put anywhere for a while goes to a folder of the test."""
    return subprocess.run(
        [sys.executable, "-m", "hangbisect", "attach", str(pid), *options],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**os.environ, "TMPDIR": str(folder), "XDG_RUNTIME_DIR": str(folder)},
    )


def report(pid: int, folder: Path) -> dict[str, Any]:
    """Attach for a short while and return the report."""
    done = attach(pid, folder, "--patience", "2", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def said(answer: dict[str, Any]) -> tuple[Any, ...]:
    """Return verdict, certainty, end of the chain, and the best cause."""
    findings = answer["findings"]
    code = findings[0]["code"] if findings else None
    return answer["verdict"], answer["certainty"], answer["end"], code


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("import_deadlock.py",), ("hung", "proved", "cycle", "HB101")),
        (("queue_get.py",), ("hung", "proved", "nobody", "HB103")),
        (("attached.py", "child"), ("hung", "proved", "nobody", "HB103")),
        (("attached.py", "prompt"), ("hung", "possible", "outside", "HB601")),
        (("attached.py", "sleeper"), ("slow", None, "timer", None)),
        (("attached.py", "busy"), ("slow", None, None, None)),
    ],
    ids=lambda value: value[-1].removesuffix(".py") if value[0].endswith(".py") else "",
)
def test_a_program_that_runs_already_is_judged(
    command: tuple[str, ...], expected: tuple[Any, ...], tmp_path: Path
) -> None:
    with program(*command) as target:
        answer = report(target.pid, tmp_path)

    assert said(answer) == expected
    assert answer["target"]["pid"] == target.pid
    assert answer["target"]["exit"] is None


def test_a_stale_lock_is_found_by_what_is_polled(tmp_path: Path) -> None:
    lock = tmp_path / "stale.lock"
    lock.touch()
    (tmp_path / "ours").mkdir()

    with program("polls_file.py", str(lock)) as target:
        answer = report(target.pid, tmp_path / "ours")

    assert said(answer) == ("hung", "possible", "nobody", "HB401")
    assert answer["findings"][0]["blocker"]["id"] == str(lock)


def test_a_stopped_program_stays_stopped(tmp_path: Path) -> None:
    with program("queue_get.py") as target:
        os.kill(target.pid, signal.SIGSTOP)
        eventually(lambda: state(target.pid), lambda letter: letter == "T")

        answer = report(target.pid, tmp_path)

        assert said(answer) == ("hung", "possible", "outside", "HB604")
        assert state(target.pid) == "T"


def test_the_target_is_afterwards_as_it_was_before_and_goes_on(tmp_path: Path) -> None:
    with program("attached.py", "finisher") as target:
        eventually(lambda: state(target.pid), lambda letter: letter == "S")
        before = traits(target.pid)

        report(target.pid, tmp_path)

        assert traits(target.pid) == before
        assert list(tmp_path.iterdir()) == []
        assert target.communicate("word\n", timeout=LIMIT) == ("got word\n", None)
        assert target.returncode == 0


def test_interrupting_us_ends_us_at_once_and_leaves_the_target(tmp_path: Path) -> None:
    with program("attached.py", "finisher") as target:
        eventually(lambda: state(target.pid), lambda letter: letter == "S")
        before = traits(target.pid)
        command = [sys.executable, "-m", "hangbisect", "attach", str(target.pid)]
        with subprocess.Popen([*command, "--patience", "600"]) as ours:
            eventually(lambda: psutil.Process(ours.pid).children(), bool)

            ours.send_signal(signal.SIGINT)

            assert ours.wait(5) == 130
        eventually(lambda: traits(target.pid), lambda seen: seen == before)


def traits(pid: int) -> tuple[object, ...]:
    """Read what looking must not change: state, tracer, signals, descriptors, children."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    kept = [line for line in status if line.startswith(KEPT)]
    open_files = sorted((fd.name, os.readlink(fd)) for fd in Path(f"/proc/{pid}/fd").iterdir())
    return kept, open_files, psutil.Process(pid).children()


@pytest.mark.root
def test_root_may_look_at_anybodys_program(tmp_path: Path) -> None:
    with program("attached.py", "somebody_else") as target:
        answer = report(target.pid, tmp_path)

    assert said(answer) == ("hung", "proved", "nobody", "HB103")


@pytest.mark.root
def test_nobody_else_may_and_is_told_so() -> None:
    with program("queue_get.py") as target:
        command = [sys.executable, str(PROGRAMS / "attach_as_nobody.py"), str(target.pid)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        f"hangbisect: process {target.pid} cannot be looked into: it belongs to another user",
        "Run hangbisect as that user, or with sudo.",
    ]


def test_what_is_not_python_is_refused(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "600"]) as other:
        try:
            done = attach(other.pid, tmp_path)
        finally:
            other.kill()

    refused(done, f"process {other.pid} is not Python")


def test_what_has_ended_is_refused(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as gone:
        eventually(lambda: state(gone.pid), lambda letter: letter == "Z")

        zombie = attach(gone.pid, tmp_path)
    dead = attach(gone.pid, tmp_path)

    refused(zombie, f"there is no running process {gone.pid}")
    refused(dead, f"there is no running process {gone.pid}")


def test_who_started_us_is_refused(tmp_path: Path) -> None:
    refused(
        attach(os.getpid(), tmp_path), f"process {os.getpid()} is hangbisect itself, or started"
    )


def test_the_first_process_is_refused(tmp_path: Path) -> None:
    refused(attach(1, tmp_path), "process 1 ")


def refused(done: "subprocess.CompletedProcess[str]", message: str) -> None:
    """Check that there was one clear message, with advice."""
    assert (done.returncode, done.stdout) == (2, "")
    first, advice = done.stderr.splitlines()
    assert first.startswith(f"hangbisect: {message}")
    assert advice
