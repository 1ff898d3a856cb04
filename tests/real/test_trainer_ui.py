"""The trainer's front end says "Starting job..." and nothing else; hangbisect says what it is."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

TRAINER = Path(__file__).parents[2] / "fixtures" / "trainer"
LIMIT = 90.0
SPAWNS = ("pipes", "ignore", "log")

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(2 * LIMIT),
    pytest.mark.xdist_group("torch"),
    pytest.mark.skipif(not shutil.which("node"), reason="node is not installed"),
]


@contextmanager
def front_end(trainer: str, output: Path) -> Iterator[str]:
    """Serve the page, which starts run.py with this command, and end it and what it started."""
    command = ["node", "ui.js"]
    environment = {**os.environ, "TRAINER": trainer, "OUTPUT": str(output)}
    with subprocess.Popen(
        command, cwd=TRAINER, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        try:
            yield address
        finally:
            end_tree(ask(address, "status")["pid"])
            server.terminate()


def end_tree(pid: int | None) -> None:
    """End what the front end started; it is detached, so it would stay."""
    if pid is None or not psutil.pid_exists(pid):
        return
    root = psutil.Process(pid)
    for process in (*root.children(recursive=True), root):
        process.kill()


def ask(address: str, path: str, method: str = "GET") -> dict[str, Any]:
    request = urllib.request.Request(f"{address}/{path}", method=method)
    with urllib.request.urlopen(request, timeout=LIMIT) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


def press_start(address: str, spawn: str) -> int:
    pid = ask(address, f"start?way=import-lock&spawn={spawn}", "POST")["pid"]
    assert isinstance(pid, int)
    return pid


def eventually(is_so: Any) -> None:
    end = time.monotonic() + LIMIT
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def cause(report: Path) -> tuple[str, str, str]:
    found = json.loads(report.read_text(encoding="utf-8"))
    return found["verdict"], Path(found["step"]["file"]).name, found["findings"][0]["code"]


@pytest.mark.parametrize("spawn", SPAWNS)
def test_a_job_that_only_starts_is_explained_while_it_is_stuck(spawn: str, tmp_path: Path) -> None:
    report, log = tmp_path / "report.json", tmp_path / "training.log"

    with front_end(sys.executable, tmp_path) as address:
        pid = press_start(address, spawn)
        eventually(lambda: log.exists() and "device" in log.read_text(encoding="utf-8"))
        command = [sys.executable, "-m", "hangbisect", "attach", str(pid)]
        ended = subprocess.run([*command, "-o", str(report)], capture_output=True, timeout=LIMIT)
        said = ask(address, "status")["status"]

    assert ended.returncode == 0, ended.stderr.decode()
    assert said == "Starting job..."
    assert cause(report) == ("hung", "tokenizer_pool.py", "HB101")


@pytest.mark.parametrize("spawn", SPAWNS)
def test_a_job_that_is_started_under_hangbisect_is_explained_by_itself(
    spawn: str, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    trainer = f"{sys.executable} -m hangbisect run -o {report} --"

    with front_end(trainer, tmp_path) as address:
        press_start(address, spawn)
        eventually(lambda: ask(address, "status")["status"] != "Starting job...")
        said = ask(address, "status")["status"]

    assert said == "Stopped (124)"
    assert cause(report) == ("hung", "tokenizer_pool.py", "HB101")


def test_a_job_that_trains_says_so(tmp_path: Path) -> None:
    with front_end(sys.executable, tmp_path) as address:
        ask(address, "start?way=none&spawn=ignore", "POST")
        seen = []
        eventually(lambda: seen.append(ask(address, "status")["status"]) or "Stop" in seen[-1])

    assert seen[0] == "Starting job..."
    assert seen[-1] == "Stopped (0)"
