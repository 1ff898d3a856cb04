"""A throw-away environment of a Python, armed for a watch whose session file is the test's own."""

import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from hangbisect.follow import arming, gate, hook
from hangbisect.follow.hook import Scope
from hangbisect.follow.watch_session import WatchSession, folder_name
from hangbisect.record import Record

PROBE = Path(__file__).parents[2] / "hangbisect" / "probe"
LIMIT = 40
FAR = 4102444800
"""A time that no test sees, in seconds since the epoch."""


class Environment:
    """A virtual environment, with a root for the session file and a folder for records."""

    def __init__(self, python: str, folder: Path) -> None:
        self.root, self.records, self.work = folder / "root", folder / "records", folder / "work"
        for made in (self.root, self.records, self.work):
            made.mkdir(mode=0o700)
        self.home = folder / "env"
        subprocess.run(
            [python, "-m", "venv", "--without-pip", str(self.home)], check=True, timeout=LIMIT
        )
        self.python = str(self.home / "bin" / "python")
        version = self.ask("import sys; print('%d %d' % sys.version_info[:2])").split()
        self.version = (int(version[0]), int(version[1]))
        self.site = self.home / "lib" / "python{}.{}".format(*version) / "site-packages"

    @property
    def gate(self) -> Path:
        """The folder that the armed interpreter looks for."""
        return self.root / folder_name(os.getuid())

    def files(self, patterns: Sequence[str] = (), until: int = FAR) -> dict[str, bytes]:
        """Give what arm would write."""
        scope = Scope(until=until, patterns=tuple(patterns), root=str(self.root))
        return hook.files(scope, self.version, hook.SOURCE.read_text("ascii"))

    def arm(self, patterns: Sequence[str] = (), until: int = FAR) -> None:
        """Arm it."""
        arming.write(self.files(patterns, until), self.site)

    def session(self, **changed: object) -> WatchSession:
        """Give a session of this process, for all."""
        fields: dict[str, object] = {
            "watcher": os.getpid(),
            "began": gate.began(os.getpid()),
            "until": int(time.time()) + 600,
            "folder": str(self.records),
            "probe": str(PROBE),
        }
        return WatchSession(**{**fields, **changed})  # type: ignore[arg-type]

    @contextmanager
    def watched(self, **changed: object) -> Iterator[WatchSession]:
        """Keep a session open."""
        session = self.session(**changed)
        gate.open_session(session, self.root)
        try:
            yield session
        finally:
            gate.close_session(session, self.root)

    def run(
        self, *arguments: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run its Python; without `variables` in the environment of the tests."""
        kept = {name: v for name, v in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            [self.python, *arguments],
            cwd=self.work,
            env=kept if variables is None else variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )

    def ask(self, code: str, *options: str, variables: Mapping[str, str] | None = None) -> str:
        """Run code, which must end well and say nothing on standard error."""
        ran = self.run(*options, "-c", code, variables=variables)
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout

    def recorded(self) -> set[int]:
        """Name the processes that have a flight record, as the reader sees them."""
        return {flight.pid for flight in Record(self.records).flights()}
