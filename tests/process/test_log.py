"""`--log`, `-v` and what is left of a run in which everything was killed."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.process._stuck import PROGRAMS, eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs below a keeper")
LIMIT = 50
LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (?P<pid>\d+) (?P<words>[ -~]+)")
SECRET = "hunter2secret"
STEP = "import deadlocked_module ("


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "hangbisect", "run", *arguments]


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=LIMIT,
        cwd=folder,
        env=environment(folder),
    )


def environment(folder: Path) -> dict[str, str]:
    """Let all that is kept go into the test's folder."""
    return {**os.environ, "TMPDIR": str(folder), "XDG_RUNTIME_DIR": ""}


@contextmanager
def killed(folder: Path) -> Iterator[Path]:
    """Kill a stuck run and its supervisor at one moment; give the folder of its record."""
    log = folder / "run.log"
    arguments = command("--on-hang", "keep", "--log", str(log), str(PROGRAMS / "logged.py"))
    with subprocess.Popen(
        [*arguments, "--password", SECRET],
        stdout=subprocess.PIPE,
        cwd=folder,
        env=environment(folder),
        start_new_session=True,
    ) as ours:
        try:
            assert ours.stdout is not None
            assert ours.stdout.readline() == b"ready\n"
            eventually(lambda: words(log)[-1:], lambda last: "".join(last).startswith(STEP))
        finally:
            os.killpg(ours.pid, signal.SIGKILL)
    (record,) = folder.glob("hangbisect-*")
    yield record


def words(log: Path) -> list[str]:
    """Return the lines of a log without time and pid; each must be as promised."""
    matches = [LINE.fullmatch(line) for line in log.read_text("ascii").splitlines()]
    assert all(matches)
    return [match["words"] for match in matches if match]


def pids(log: Path) -> list[str]:
    """Name the processes in a log, in order of appearance."""
    found = (line.split(" ")[2] for line in log.read_text("ascii").splitlines())
    return list(dict.fromkeys(found))


def test_when_all_is_killed_the_last_line_names_the_step(tmp_path: Path) -> None:
    with killed(tmp_path):
        lines = words(tmp_path / "run.log")

    assert lines[-1].startswith(STEP)


def test_the_record_of_a_killed_run_is_shown_anywhere(tmp_path: Path) -> None:
    with killed(tmp_path) as record:
        shutil.move(record, tmp_path / "elsewhere")

    done = subprocess.run(
        [sys.executable, "-m", "hangbisect", "show", "elsewhere", "--format", "json"],
        capture_output=True, text=True, timeout=LIMIT, cwd=tmp_path,
    )  # fmt: skip

    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"]) == (0, "unknown")
    assert [step["name"] for step in report["step"]["chain"]] == ["deadlocked_module"]
    assert (report["step"]["file"], report["step"]["line"]) == (str(PROGRAMS / "logged.py"), 6)
    assert any(gap["what"] == "what each thread waits for" for gap in report["gaps"])
    assert SECRET not in done.stdout


def test_all_processes_are_in_one_log_that_is_private_and_holds_no_secret(tmp_path: Path) -> None:
    log = tmp_path / "run.log"

    done = run(tmp_path, "--log", str(log), str(PROGRAMS / "forks.py"), "--password", SECRET)

    assert (done.returncode, done.stderr) == (0, "")
    lines = words(log)
    assert len(pids(log)) == 2
    assert {"fork", "imported colorsys", "imported wave"} <= set(lines)
    assert sum(line.endswith("forks.py --password <redacted>") for line in lines) == 2
    assert SECRET not in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_verbose_repeats_the_log_on_standard_error(tmp_path: Path) -> None:
    log = tmp_path / "run.log"

    done = run(tmp_path, "-v", "--log", str(log), "-c", "import colorsys")

    assert done.stderr == log.read_text()
    assert "import colorsys (<string>:1)" in words(log)


@pytest.mark.parametrize("name", ["missing/run.log", "fifo", "/dev/full"])
def test_a_log_that_cannot_be_written_is_one_warning(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")

    done = run(tmp_path, "--log", name, "-c", "import colorsys; print('fine')")

    assert (done.returncode, done.stdout) == (0, "fine\n")
    (warning,) = done.stderr.splitlines()
    assert warning.startswith("hangbisect: the log ")
