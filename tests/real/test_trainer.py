"""The trainer with torch: as without us when it is well, explained when it is stuck."""

import subprocess
import sys
from pathlib import Path

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


def test_importing_torch_gives_the_same_module_as_without_us() -> None:
    program = "import sys, torch; print(torch.__version__, len(sys.modules) > 500, torch.ones(2))"

    bare = start([sys.executable, "-c", program])
    under = start([*UNDER, "-c", program])

    assert under == bare
    assert bare[0] == 0
