"""What `--within` and `--exit-code` answer, and `hangbisect.run` from Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from hangbisect.report.json import schema

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs below a keeper")
LIMIT = 50
WORKS = "import time\nend = time.monotonic() + 3\nwhile time.monotonic() < end: pass\nprint('end')"
HANGS = "import queue; queue.Queue().get()"
FAILS = "raise SystemExit(3)"
PROGRAM = """
import sys
from hangbisect import RunRequest, load, render, run
done = run(RunRequest(argv=(sys.executable, "-c", sys.argv[1]), patience=20))
print(done.diagnosis.verdict, done.ended_by_us, load(done.folder) == done.diagnosis)
print(render(done.diagnosis, "terminal"))
"""
CRASHES = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "hangbisect", "run", *arguments],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder), "XDG_RUNTIME_DIR": ""},
    )


def test_a_slow_start_is_said_with_what_moves_and_nothing_is_ended(tmp_path: Path) -> None:
    done = run(tmp_path, "--within", "1", "-o", "report.json", "-c", WORKS)

    report = json.loads((tmp_path / "report.json").read_text())
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(report)) == []
    assert (report["verdict"], report["moving"], report["ended"]) == ("slow", ["CPU"], False)
    assert (done.returncode, done.stdout) == (0, "end\n")
    assert done.stderr.startswith("SLOW: ")


def test_a_start_that_is_quick_enough_says_nothing(tmp_path: Path) -> None:
    done = run(tmp_path, "--within", "30", "-c", "print('end')")

    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


@pytest.mark.parametrize(
    ("code", "child", "verdict", "bisect"),
    [(HANGS, 124, 1, 1), (FAILS, 3, 4, 125), (CRASHES, -11, 5, 125), ("pass", 0, 0, 0)],
    ids=["hung", "failed", "crashed", "finished"],
)
def test_the_status_means_what_was_asked_for(
    code: str, child: int, verdict: int, bisect: int, tmp_path: Path
) -> None:
    meanings = ("child", "verdict", "bisect")

    statuses = [run(tmp_path, "--exit-code", m, "-c", code).returncode for m in meanings]

    assert statuses == [child, verdict, bisect]


def test_a_slow_start_has_a_status_of_its_own(tmp_path: Path) -> None:
    done = run(tmp_path, "--within", "1", "--exit-code", "verdict", "-c", WORKS)

    assert done.returncode == 3


def test_python_may_run_it_too(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, HANGS],
        capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL, cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), "XDG_RUNTIME_DIR": ""},
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    verdict, ended, same, text = done.stdout.split(maxsplit=3)
    assert (verdict, ended, same) == ("hung", "True", "True")
    assert text.startswith("HUNG (proved): ")
