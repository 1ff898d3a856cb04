"""Start programs/parent.py and read what it noted: shared by the tests beside this file."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

PROGRAM = Path(__file__).parent / "programs" / "parent.py"
T = TypeVar("T")
LIMIT = 15.0
"""Seconds for anything that a test waits for."""


@dataclass(frozen=True)
class Run:
    """A front with a keeper and a target below it."""

    process: subprocess.Popen[bytes]
    notes: Path

    @property
    def pids(self) -> tuple[int, int, int]:
        """Front, keeper, target."""
        line = self.wait_for("started").split()
        return int(line[1]), int(line[2]), int(line[3])

    def wait_for(self, words: str) -> str:
        """Return the first noted line with these words, as soon as it is there."""
        return wait_until(lambda: next((n for n in self.noted() if words in n), ""))

    def noted(self) -> list[str]:
        return self.notes.read_text().splitlines() if self.notes.exists() else []


def command(notes: Path, target: Sequence[str], *options: str) -> list[str]:
    return [sys.executable, str(PROGRAM), "--out", str(notes), *options, *target]


@contextlib.contextmanager
def running(notes: Path, target: Sequence[str], *options: str) -> Iterator[Run]:
    """Run a target below a keeper, in a session of its own; nothing of it is left."""
    with subprocess.Popen(
        command(notes, target, *options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        run = Run(process, notes)
        try:
            yield run
        finally:
            for pid in {*(run.pids if run.noted() else ()), process.pid}:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def wait_until(question: Callable[[], T]) -> T:
    """Ask until the answer is true, and return it; fail after LIMIT."""
    deadline = time.monotonic() + LIMIT
    while not (answer := question()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)
    return answer


def state(pid: int) -> str:
    """Return a process's state letter; "" if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0]
    except OSError:
        return ""


def is_gone(pid: int) -> bool:
    return state(pid) in {"", "Z", "X"}
