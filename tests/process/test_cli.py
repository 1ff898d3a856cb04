"""The command as people type it: exit statuses, streams, files, and wrong use."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from hangbisect.report.json import schema

LIMIT = 50
STUCK = "import queue\nqueue.Queue().get()\n"


def hangbisect(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; what it keeps goes into the test's folder."""
    return subprocess.run(
        [sys.executable, "-m", "hangbisect", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(cwd), "XDG_RUNTIME_DIR": str(cwd)},
    )


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "echo.py").write_text("import sys\nprint(sys.argv)\nprint('e', file=sys.stderr)\n")
    (tmp_path / "stuck.py").write_text(STUCK)
    (tmp_path / "touch.py").write_text("open('touched', 'w')\n")
    return tmp_path


def test_a_healthy_run_is_as_bare(here: Path) -> None:
    command = [sys.executable, "echo.py", "--help", "-v"]
    bare = subprocess.run(command, cwd=here, capture_output=True, text=True, timeout=LIMIT)

    ours = hangbisect("echo.py", "--help", "-v", cwd=here)

    assert (ours.returncode, ours.stdout, ours.stderr) == (0, bare.stdout, bare.stderr)


@pytest.mark.parametrize(
    ("code", "status"),
    [("import sys; sys.exit(3)", 3), ("1/0", 1), ("import os; os.kill(os.getpid(), 15)", -15)],
)
def test_the_exit_status_is_the_targets_own(code: str, status: int, here: Path) -> None:
    assert hangbisect("run", "-c", code, cwd=here).returncode == status


@pytest.mark.parametrize(
    ("code", "verdict", "bisect"), [("pass", 0, 0), ("import sys; sys.exit(3)", 4, 125)]
)
def test_the_status_may_be_the_verdicts(code: str, verdict: int, bisect: int, here: Path) -> None:
    for meaning, status in (("verdict", verdict), ("bisect", bisect)):
        assert hangbisect("--exit-code", meaning, "-c", code, cwd=here).returncode == status


def test_json_follows_the_targets_output(here: Path) -> None:
    done = hangbisect("--format", "json", "echo.py", cwd=here)

    first, _, rest = done.stdout.partition("\n")
    assert first == "['echo.py']"
    assert json.loads(rest)["verdict"] == "finished"


def test_a_hang_is_said_written_and_shown_again(here: Path) -> None:
    done = hangbisect("-o", "report.json", "--patience", "10", "stuck.py", cwd=here)

    assert done.returncode == 124
    assert done.stdout == ""
    assert done.stderr.startswith("HUNG (proved): `queue.Queue().get()` at stuck.py:2 never ")
    report = json.loads((here / "report.json").read_text())
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(report)) == []
    assert (report["verdict"], report["step"]["line"], report["ended"]) == ("hung", 2, True)
    assert (here / "report.json").stat().st_mode & 0o777 == 0o600
    folder = done.stderr.rsplit("hangbisect show ", 1)[1].strip()
    again = hangbisect("show", folder, "--format", "json", cwd=here)
    assert json.loads(again.stdout) == report


def test_an_existing_report_is_refused_before_the_target_starts(here: Path) -> None:
    (here / "old.json").write_text("{}")

    done = hangbisect("-o", "old.json", "touch.py", cwd=here)

    assert done.returncode == 2
    assert done.stderr.startswith("hangbisect: old.json exists already\n")
    assert not (here / "touched").exists()
    assert (here / "old.json").read_text() == "{}"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("none.py",), "there is no script none.py"),
        (("--frobnicate", "echo.py"), "No such option"),
        (("--notice", "x", "echo.py"), "--notice"),
        (("--python", "/no/python", "echo.py"), "there is no interpreter /no/python"),
        (("--python", "true", "echo.py"), "is not a Python interpreter"),
        (("-o", "/no/folder/x", "echo.py"), "cannot write /no/folder/x"),
        (("--format", "html", "echo.py"), "there is no report format 'html'"),
        (("show", "none"), "none"),
        (("show", "echo.py"), "echo.py"),
        (("attach", "0"), "0 is no process id"),
        (("attach", "4194304"), "4194304"),
        (("explain", "HB000"), "HB000"),
        (("run",), "there is nothing to run"),
    ],
)
def test_wrong_use_is_one_message_and_status_two(
    arguments: tuple[str, ...], says: str, here: Path
) -> None:
    done = hangbisect(*arguments, cwd=here)

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("hangbisect: ")
    assert says in done.stderr.splitlines()[0]
    assert "Traceback" not in done.stderr


def test_the_schema_is_printed(here: Path) -> None:
    assert json.loads(hangbisect("schema", cwd=here).stdout) == schema()


def test_a_cause_is_explained(here: Path) -> None:
    done = hangbisect("explain", "HB103", cwd=here)

    assert done.returncode == 0
    assert "never-signalled" in done.stdout


def test_a_reader_that_goes_away_is_no_error(here: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "hangbisect", "schema"],
            cwd=here, stdout=gone, stderr=subprocess.PIPE, text=True, timeout=LIMIT,
        )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_that_runs_already_is_looked_at_and_left(here: Path) -> None:
    reading, writing = os.pipe()
    code = f"import os, queue; os.write({writing}, b'r'); queue.Queue().get()"
    with subprocess.Popen([sys.executable, "-c", code], pass_fds=[writing], cwd=here) as target:
        try:
            os.close(writing)
            assert os.read(reading, 1) == b"r"

            done = hangbisect("attach", str(target.pid), "--format", "json", cwd=here)

            assert done.returncode == 0
            assert json.loads(done.stdout)["verdict"] == "hung"
            assert target.poll() is None
        finally:
            os.close(reading)
            target.send_signal(signal.SIGKILL)
