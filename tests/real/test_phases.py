"""The phases of real trainers on a CPU: in the right order, none invented, output unchanged."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
STARTED = ["interpreter started", "script started"]
TRAINED = ["training begins"]
EXACT = ("arguments parsed", "accelerator", "first step")
"""What takes no time: only where a probe times it."""

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("torch"),
]


def start(command: list[str], folder: Path, pause: float) -> tuple[int, bytes, bytes]:
    """Run a trainer whose slow parts take `pause` seconds each."""
    ended = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=100,
        env={**os.environ, "PAUSE": str(pause)},
    )
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    ("package", "program", "order"),
    [
        ("torch", "plain_torch.py", ["arguments parsed", "model loading", "data loader"]),
        ("accelerate", "with_accelerate.py", ["arguments parsed", "accelerator", "prepare"]),
        ("lightning", "with_lightning.py", ["data set", "data loader"]),
    ],
)
def test_the_phases_of_a_real_trainer_are_told_in_order(
    package: str, program: str, order: list[str], tmp_path: Path
) -> None:
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    report = tmp_path / "report.json"
    under = [sys.executable, "-m", "hangbisect", "run", "-o", str(report), str(PROGRAMS / program)]

    bare = start([sys.executable, str(PROGRAMS / program)], tmp_path, 0)
    probed = start(under, tmp_path, 8)

    assert probed == bare
    phases = json.loads(report.read_text(encoding="utf-8"))["phases"]
    told = list(dict.fromkeys(phase["name"] for phase in phases))
    if sys.version_info < (3, 12):
        assert told == [n for n in STARTED + order + TRAINED if n not in EXACT]
    else:
        assert [n for n in told if n in order] == order
        assert told[-2:] == ["training begins", "first step"]
        assert {"first CUDA call", "process group", "config loaded"}.isdisjoint(told)
