"""Each fixture hangs in the way it says, and hangbisect says so."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text(encoding="utf-8"))
"""Folder -> code of the cause (null: none has a name yet), end of the chain, certainty."""

pytestmark = pytest.mark.timeout(60)


def explain(folder: str, report: Path) -> tuple[int, dict[str, Any]]:
    """Run a fixture under hangbisect, with a silent pipe as its input; return status and report."""
    command = [sys.executable, "-m", "hangbisect", "run", "--format", "json", "-o", str(report)]
    command += ["--patience", "6", "--on-hang", "end", "--", "run.py"]
    silent, kept = os.pipe()
    try:
        ended = subprocess.run(
            command, cwd=FIXTURES / folder, stdin=silent, capture_output=True, timeout=50
        )
    finally:
        os.close(silent)
        os.close(kept)
    assert report.exists(), ended.stderr.decode()
    return ended.returncode, json.loads(report.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", EXPECTED)
def test_a_fixture_is_called_hung_with_its_cause(folder: str, tmp_path: Path) -> None:
    expected = EXPECTED[folder]
    if lacking := missing_compiler(FIXTURES / folder):
        pytest.skip(f"no compiler ({lacking}, or the one that CC or CXX names)")

    status, report = explain(folder, tmp_path / "report.json")

    said = (report["verdict"], report["certainty"], report["end"])
    assert (status, *said) == (124, "hung", expected["certainty"], expected["end"])
    assert first_cause(report, is_named=expected["code"] is not None) == expected["code"]


def missing_compiler(folder: Path) -> str:
    """Name the compiler that a fixture needs and this machine lacks, "" if there is none."""
    needs = {"*.c": ("CC", "cc"), "*.cpp": ("CXX", "c++")}
    wanted = [names for pattern, names in needs.items() if list(folder.glob(pattern))]
    lacking = [
        usual for variable, usual in wanted if not shutil.which(os.environ.get(variable, usual))
    ]
    return next(iter(lacking), "")


def first_cause(report: dict[str, Any], *, is_named: bool) -> str | None:
    """Return the best cause; where none has a name yet, a mere possibility is no answer."""
    for finding in report["findings"]:
        if is_named or finding["certainty"] != "possible":
            return str(finding["code"])
    return None


def test_a_program_that_is_only_slow_is_left_to_its_end(tmp_path: Path) -> None:
    status, report = explain("only_slow", tmp_path / "report.json")

    assert (status, report["verdict"]) == (0, "finished")
