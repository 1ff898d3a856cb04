"""Programs that are stuck on purpose, on every Python that is found, and a way to await a state."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

PROGRAMS = Path(__file__).parent / "programs"
VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
LIMIT = 20.0
"""Seconds in which a program must get to where it is stuck."""
Seen = TypeVar("Seen")


def pythons() -> dict[str, str]:
    """Find an interpreter of each version: on PATH, or in pyenv's folder."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for version in VERSIONS:
        known = sorted(pyenv.glob(f"{version}.*/bin/python"))
        path = str(known[-1]) if known else shutil.which(f"python{version}")
        if path is not None:
            found[version] = path
    return found or {"this": sys.executable}


@contextmanager
def stuck(python: str, program: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program, wait until it says that it is ready, and end it afterwards."""
    command = [python, "-u", str(PROGRAMS / program), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def eventually(look: Callable[[], Seen], is_it: Callable[[Seen], bool]) -> Seen:
    """Look until what is seen is what is awaited, and give that."""
    end = time.monotonic() + LIMIT
    while not is_it(seen := look()):
        assert time.monotonic() < end, f"still {seen}"
        time.sleep(0.02)
    return seen


def state(pid: int) -> str:
    """Read the state letter of a process."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Hold a process by SIGSTOP."""
    os.kill(pid, signal.SIGSTOP)
    eventually(lambda: state(pid), lambda letter: letter == "T")
    yield
    os.kill(pid, signal.SIGCONT)
