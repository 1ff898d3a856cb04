"""Once training has begun hangbisect keeps quiet: what hangs is reported, and left running."""

import os
import time
from pathlib import Path

import pytest

from tests.process._healthy import finish, report_of, start
from tests.process.conftest import PYTHONS

NEW = next((PYTHONS[version] for version in ("3.13", "3.12") if version in PYTHONS), "")
STOPS = Path(__file__).parent / "programs" / "phases" / "stops.py"
LIMIT = 50.0
"""Seconds for the report, which comes with the first look after twenty of them."""
pytestmark = [
    pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux"),
    pytest.mark.skipif(not NEW, reason="needs Python 3.12, which times the phases"),
    pytest.mark.slow,
]


def test_a_training_that_is_proved_to_hang_is_reported_late_and_left_running(
    tmp_path: Path,
) -> None:
    began = time.monotonic()
    started = start((str(STOPS),), tmp_path / "report.json", options=("--python", NEW))
    try:
        report_comes(started.report, began + LIMIT)
        report, seconds = report_of(started), time.monotonic() - began

        assert (report["verdict"], report["certainty"]) == ("hung", "proved")
        assert report["ended"] is False
        assert seconds > 20.0
        assert started.process.poll() is None
        assert os.path.isdir(f"/proc/{started.pid}")
    finally:
        finish(started)


def report_comes(path: Path, until: float) -> None:
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.1)
