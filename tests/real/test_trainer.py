"""The trainer with torch: as without us when it is well, explained when it is stuck."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TRAINER = Path(__file__).parents[2] / "fixtures" / "trainer"
UNDER = [sys.executable, "-m", "hangbisect", "run"]

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("torch"),
]


def start(command: list[str], folder: Path = TRAINER) -> tuple[int, bytes, bytes]:
    """Run a command to its end; return its exit status, stdout and stderr."""
    ended = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=150
    )
    return ended.returncode, ended.stdout, ended.stderr


def stuck(tmp_path: Path, way: str) -> dict[str, Any]:
    """Run the trainer into a hang and return the report."""
    report = tmp_path / "report.json"
    options = ["--format", "json", "-o", str(report), "--patience", "8", "--on-hang", "end"]

    status, _, errors = start([*UNDER, *options, "--", "run.py", "config.yaml", "--hang", way])

    assert status == 124, errors.decode()
    document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param([], id="trained"),
        pytest.param(["--exit-code", "7"], id="trained with a status of its own"),
        pytest.param(["--fail-at", "2"], id="failed with a traceback"),
        pytest.param(["--steps", "many"], id="wrong use"),
    ],
)
def test_a_trainer_that_ends_is_byte_for_byte_as_without_us(arguments: list[str]) -> None:
    target = ["run.py", "config.yaml", *arguments]

    bare = start([sys.executable, *target])
    under = start([*UNDER, *target])

    assert under == bare


def test_a_trainer_that_ends_writes_the_same_log_as_without_us(tmp_path: Path) -> None:
    logs = [tmp_path / "bare.log", tmp_path / "under.log"]

    start([sys.executable, "run.py", "config.yaml", "--log", str(logs[0])])
    start([*UNDER, "run.py", "config.yaml", "--log", str(logs[1])])

    assert logs[0].read_bytes() == logs[1].read_bytes() != b""


def test_a_stale_lock_of_torch_is_named_with_its_place_and_that_nobody_holds_it(
    tmp_path: Path,
) -> None:
    report = stuck(tmp_path, "stale-lock")
    lock = str(TRAINER / "build" / "lock")

    finding = report["findings"][0]

    assert (report["verdict"], report["end"]) == ("hung", "nobody")
    assert (finding["code"], finding["blocker"]["kind"]) == ("HB401", "file")
    assert finding["blocker"]["id"] == lock
    assert finding["wait_chain"][-1]["holders"] == []
    assert "nobody" in finding["summary"] or "no process" in finding["summary"]
    places = [f"{Path(step['file']).name}:{step['line']}" for step in report["step"]["chain"]]
    assert "run.py" in " ".join([*places, report["step"]["file"]])


@pytest.mark.parametrize(
    ("way", "code"),
    [
        ("import-lock", "HB101"),
        ("queue", "HB103"),
        ("event", "HB103"),
        ("flock", "HB402"),
        ("fifo", "HB403"),
        ("child", "HB302"),
        ("stop", "HB604"),
    ],
)
def test_a_trainer_that_hangs_is_explained(tmp_path: Path, way: str, code: str) -> None:
    report = stuck(tmp_path, way)

    assert report["verdict"] == "hung"
    assert [finding["code"] for finding in report["findings"]][:1] == [code]


def test_importing_torch_gives_the_same_module_as_without_us() -> None:
    program = "import sys, torch; print(torch.__version__, len(sys.modules) > 500, torch.ones(2))"

    bare = start([sys.executable, "-c", program])
    under = start([*UNDER, "-c", program])

    assert under == bare
    assert bare[0] == 0
