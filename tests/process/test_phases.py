"""The phases of a start are told as they happen, and what did not happen is not told."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hangbisect.model import Event
from tests.process._probed import INJECT, Room

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="run on Linux only so far")

TRAIN = Path(__file__).parent / "programs" / "phases" / "train.py"
LIMIT = 50
TOLD = [
    ("phase-done", "arguments parsed"),
    ("phase-done", "config loaded"),
    ("phase", "accelerator"),
    ("phase-done", "accelerator"),
    ("phase", "model loading"),
    ("phase-failed", "model loading"),
    ("phase", "model loading"),
    ("phase-done", "model loading"),
    ("phase", "prepare"),
    ("phase-done", "prepare"),
    ("phase", "model loading"),
    ("phase-done", "model loading"),
    ("phase", "data loader"),
    ("phase-done", "data loader"),
    ("phase", "data loader"),
    ("phase-done", "data loader"),
    ("phase", "data loader"),
    ("phase-done", "data loader"),
    ("phase-done", "training begins"),
    ("phase-done", "first step"),
]
TAKEN = f"""
import runpy, sys
for tool in (3, 4):
    sys.monitoring.use_tool_id(tool, "somebody")
try:
    runpy.run_path({str(INJECT / "sitecustomize.py")!r})
except ImportError:
    pass
import argparse
argparse.ArgumentParser().parse_args([])
"""
TRACED = """
import argparse, sys
sys.settrace(lambda *args: None)
argparse.ArgumentParser().parse_args([])
"""


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def new_python(python: str) -> str:
    """Give a Python that can time single functions."""
    if not is_new(python):
        pytest.skip("sys.monitoring came with Python 3.12")
    return python


def is_new(python: str) -> bool:
    code = "import sys; sys.exit(sys.version_info < (3, 12))"
    return subprocess.run([python, "-I", "-c", code], timeout=20, check=False).returncode == 0


def told(events: tuple[Event, ...]) -> list[tuple[str, str]]:
    return [(event.what, event.name) for event in events if event.what.startswith("phase")]


def report(python: str, folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    """Run the stuck trainer and return the report, and its log's lines about phases."""
    command = [sys.executable, "-m", "hangbisect", "run", "--python", python, *options]
    command += ["-o", "report.json", "--log", "log.txt", str(TRAIN), "train", "--stuck"]
    environment = {**os.environ, "TMPDIR": str(folder), "XDG_RUNTIME_DIR": ""}
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        check=False,
    )
    assert done.returncode == 124, done.stderr
    lines = [line for line in (folder / "log.txt").read_text().splitlines() if " phase" in line]
    return json.loads((folder / "report.json").read_text()), "\n".join(lines)


def test_a_trainer_with_its_phases_timed_says_what_it_says_without(python: str, room: Room) -> None:
    bare, probed = room.both([python, str(TRAIN), "train"])

    assert probed == bare
    assert bare.output == "trained ['train']\n"


def test_the_phases_are_told_in_their_order_and_no_others(python: str, room: Room) -> None:
    room.run([python, str(TRAIN), "train"], probed=True)

    assert told(room.record.poll()) == (TOLD if is_new(python) else [])


def test_a_tracer_ends_the_timing_and_that_is_said(new_python: str, room: Room) -> None:
    room.run([new_python, "-c", TRACED], probed=True)

    assert told(room.record.poll()) == []
    assert ["tracer" in note for note in room.record.flights()[0].notes] == [True]


def test_where_other_tools_have_all_ids_that_is_said(new_python: str, room: Room) -> None:
    room.run(
        [new_python, "-c", TAKEN], probed=False, extra={"HANGBISECT_FOLDER": str(room.records)}
    )

    (flight,) = room.record.flights()
    assert told(room.record.poll()) == []
    assert ["sys.monitoring" in note for note in flight.notes] == [True]


def test_a_report_says_which_phase_is_in_progress(python: str, tmp_path: Path) -> None:
    facts, log = report(python, tmp_path)

    current, done = facts["phase_in_progress"], facts["phase_completed"]
    assert (current["name"], current["ended"]) == ("prepare", None)
    assert current["source"] == ("monitoring" if is_new(python) else "stack")
    assert done["name"] == ("model loading" if is_new(python) else "script started")
    assert "phase prepare (" in log


def test_a_phase_is_seen_in_a_process_that_ran_already(python: str, room: Room) -> None:
    command = [python, str(TRAIN), "train", "--stuck"]
    with subprocess.Popen(command, env=room.environment(probed=False), cwd=room.work) as process:
        try:
            look = [sys.executable, "-m", "hangbisect", "attach", "--format", "json"]
            done = subprocess.run(
                [*look, "--patience", "3", str(process.pid)],
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
            )
        finally:
            process.kill()

    facts = json.loads(done.stdout)
    assert [(p["name"], p["source"], p["ended"]) for p in facts["phases"]] == [
        ("prepare", "stack", None)
    ]
