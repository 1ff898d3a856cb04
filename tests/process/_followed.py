"""Commands below `hangbisect exec`: started in a folder of the test, ended with all below them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

LIMIT = 60.0
HANGS = "import threading\nthreading.Event().wait()\n"
WORKS = "import sys, time\nfor _ in range(60):\n    time.sleep(0.1)\n    sum(range(100000))\n"


def exec_command(folder: Path, *command: str, patience: float = 300) -> list[str]:
    """Give the command line that follows a command, with reports below `folder`."""
    options = ["--patience", str(patience), "-o", str(folder / "reports")]
    return [sys.executable, "-m", "hangbisect", "exec", *options, "--", *command]


@contextmanager
def followed(
    folder: Path, *command: str, patience: float = 300, **variables: str
) -> Iterator["subprocess.Popen[str]"]:
    """Follow a command in `folder`; end it and all below it afterwards."""
    with subprocess.Popen(
        exec_command(folder, *command, patience=patience),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder), "XDG_RUNTIME_DIR": str(folder), **variables},
    ) as process:
        try:
            yield process
        finally:
            below: list[psutil.Process] = []
            with suppress(psutil.NoSuchProcess):
                below = psutil.Process(process.pid).children(recursive=True)
            for child in below:
                with suppress(psutil.NoSuchProcess):
                    child.kill()
            process.send_signal(signal.SIGKILL)


def reports(folder: Path, count: int = 1) -> list[dict[str, Any]]:
    """Wait for so many incidents and return their reports."""
    end = time.monotonic() + LIMIT
    found: list[Path] = []
    while len(found) < count:
        assert time.monotonic() < end, f"only {found}"
        time.sleep(0.1)
        found = sorted((folder / "reports").glob("[0-9]*/report.json"))
    return [json.loads(path.read_text()) for path in found]


def roles(report: dict[str, Any]) -> list[str]:
    """Name the processes of a report by their roles."""
    return [process["role"] for process in report["processes"]]


def blamed(report: dict[str, Any]) -> dict[str, Any]:
    """Return the process that is at the step of the report."""
    found: dict[str, Any] = next(
        p for p in report["processes"] if p["pid"] == report["step"]["pid"]
    )
    return found
