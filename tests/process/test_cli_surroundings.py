"""The command where its streams, its folder or its limits are not as they should be."""

import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 50
COMMAND = shlex.join([sys.executable, "-m", "hangbisect"])
FOUR = "-c 'raise SystemExit(4)'"
FULL = Path("/dev/full")

needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")


def shell(line: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `hangbisect` is the command."""
    return subprocess.run(
        ["sh", "-c", line.replace("hangbisect", COMMAND)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(cwd), "XDG_RUNTIME_DIR": str(cwd), **more},
    )


@pytest.mark.parametrize(
    "redirection",
    ["2>&-", ">&-", "<&- >&- 2>&-", *(pytest.param(r, marks=needs_full) for r in ("2>/dev/full",))],
)
def test_the_status_is_the_targets_whatever_its_streams_are(
    redirection: str, tmp_path: Path
) -> None:
    options = "-v --log none/log --format terminal"

    done = shell(f"hangbisect {options} {FOUR} {redirection}", tmp_path)

    assert done.returncode == 4
    assert "Traceback" not in done.stderr


@needs_full
def test_json_that_cannot_be_written_is_said_and_leaves_the_status(tmp_path: Path) -> None:
    done = shell(f"hangbisect --format json {FOUR} >/dev/full", tmp_path)

    assert done.returncode == 4
    assert done.stderr.startswith("hangbisect: the report is lost: cannot write to standard output")
    assert done.stderr.count("\n") == 1


@needs_full
@pytest.mark.parametrize("verb", ["schema", "explain HB101", "--help", "run --help", "--version"])
def test_what_cannot_be_written_is_one_message_and_status_two(verb: str, tmp_path: Path) -> None:
    done = shell(f"hangbisect {verb} >/dev/full", tmp_path)

    assert done.returncode == 2
    assert done.stderr.startswith("hangbisect: cannot write to standard output: ")
    assert "Traceback" not in done.stderr


@needs_full
@pytest.mark.parametrize("stream", ["2>/dev/full", "2>&-"])
def test_wrong_use_has_status_two_though_nobody_can_be_told(stream: str, tmp_path: Path) -> None:
    assert shell(f"hangbisect none.py {stream}", tmp_path).returncode == 2


def test_a_terminal_that_is_gone_changes_no_status(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    os.close(ours)
    with open(theirs, "wb", buffering=0) as gone:
        done = subprocess.run(
            [*shlex.split(COMMAND), "--format", "terminal", *shlex.split(FOUR)],
            cwd=tmp_path, stdin=gone, stdout=gone, stderr=gone, timeout=LIMIT,
        )  # fmt: skip

    assert done.returncode == 4


@pytest.mark.parametrize("limit", [20, 60, 65])
def test_a_low_limit_of_open_files_is_no_hindrance(limit: int, tmp_path: Path) -> None:
    done = shell(f"ulimit -n {limit}; hangbisect {FOUR}", tmp_path)

    assert (done.returncode, done.stderr) == (4, "")


def test_a_limit_that_leaves_no_number_is_one_message_and_status_two(tmp_path: Path) -> None:
    done = shell(f"ulimit -n 7; hangbisect {FOUR}", tmp_path)

    assert done.returncode == 2
    assert done.stderr.startswith("hangbisect: the target could not be started: Too many open ")
    assert "Traceback" not in done.stderr


def test_a_program_runs_where_its_folder_was_removed(tmp_path: Path) -> None:
    lines = "mkdir gone; cd gone; rmdir ../gone; hangbisect -c 'print(1)'"

    done = shell(lines, tmp_path)

    assert (done.returncode, done.stdout) == (0, "1\n"), done.stderr


@pytest.mark.parametrize("named", [True, False], ids=["on PYTHONPATH", "in the working folder"])
def test_modules_of_the_project_are_the_targets_and_not_ours(named: bool, tmp_path: Path) -> None:
    for name in ("signal", "click", "msgspec", "json", "subprocess"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)\n")
    (tmp_path / "run.py").write_text("import os\nprint(os.environ['PYTHONPATH'])\nimport click\n")
    value = str(tmp_path) if named else ""

    done = shell("hangbisect run.py", tmp_path, PYTHONPATH=value)

    assert done.returncode == 9, done.stderr
    assert done.stdout.strip().endswith(f"inject{os.pathsep * named}{value}")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--log x.json -o x.json", "x.json is named for the log and for the report"),
        ("--log x.json -o ./x.json", "x.json is named for the log and for the report"),
        ("-o fifo", "fifo is a FIFO"),
        ("-o ''", "the name of the file is empty"),
        ("--log ''", "the name of the file is empty"),
        ("-o .", ". is a folder"),
    ],
)
def test_a_file_that_cannot_be_a_report_is_refused_before_the_start(
    options: str, says: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "fifo")

    done = shell(f"hangbisect {options} -c \"open('started', 'w')\"", tmp_path)

    assert done.returncode == 2
    assert says in done.stderr.splitlines()[0]
    assert not (tmp_path / "started").exists()
