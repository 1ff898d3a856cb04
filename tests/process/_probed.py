"""Runs programs bare and with the probe in them."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hangbisect.record import Record

PROGRAMS = Path(__file__).parent / "programs" / "probe"
INJECT = Path(__file__).parents[2] / "hangbisect" / "probe" / "inject"
LIMIT = 40


@dataclass(frozen=True)
class Ended:
    """How a program ended, and what it said; addresses are left out."""

    status: int
    output: str
    errors: str


class Room:
    """A folder to run in, with a record folder."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.empty = folder / "empty"
        self.records = folder / "records"
        for made in (self.work, self.empty, self.records):
            made.mkdir(mode=0o700)
        self.record = Record(self.records)

    def environment(self, *, probed: bool, extra: dict[str, str] | None = None) -> dict[str, str]:
        """Give the variables to run with; PYTHONPATH is set both ways."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "COVERAGE", "HANGBISECT_FOLDER"))
        }
        environment |= {"PYTHONPATH": str(self.empty), "PYTHONHASHSEED": "0"} | (extra or {})
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        if probed:
            path = environment["PYTHONPATH"]
            environment["PYTHONPATH"] = f"{INJECT}{os.pathsep}{path}"
            environment["HANGBISECT_FOLDER"] = str(self.records)
        return environment

    def run(
        self,
        command: list[str],
        *,
        probed: bool,
        given: str = "",
        extra: dict[str, str] | None = None,
    ) -> Ended:
        """Run a command to its end."""
        done = subprocess.run(
            command,
            input=given,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            cwd=self.work,
            env=self.environment(probed=probed, extra=extra),
            check=False,
        )
        return Ended(
            done.returncode, _without_addresses(done.stdout), _without_addresses(done.stderr)
        )

    def both(
        self, command: list[str], *, given: str = "", extra: dict[str, str] | None = None
    ) -> tuple[Ended, Ended]:
        """Run a command bare, then probed."""
        bare = self.run(command, probed=False, given=given, extra=extra)
        return bare, self.run(command, probed=True, given=given, extra=extra)

    @contextmanager
    def started(self, command: list[str]) -> Iterator[subprocess.Popen[str]]:
        """Start a probed program, wait until it says "ready", and end it afterwards."""
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stdin=subprocess.PIPE,
            text=True,
            cwd=self.work,
            env=self.environment(probed=True),
        ) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
                yield process
            finally:
                process.kill()


def _without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", text)
