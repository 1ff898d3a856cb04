"""The folder of reports: a sub-folder an incident, whole or not at all, never over another one."""

import re
import shutil
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from hangbisect import session
from hangbisect.cli._stream import put
from hangbisect.errors import OutputError
from hangbisect.model import Diagnosis, private
from hangbisect.report import headline, render, suffix_of

ALWAYS = ("terminal", "json")
_LONGEST = 40


class Incidents:
    """Where incidents are written, and how many there were."""

    def __init__(self, output: Path | None, command: str, format_name: str, now: datetime) -> None:
        """Refuse at once a folder that is not empty or cannot be made.

        Without `output` a folder named after `command` and `now` is made at the first incident,
        below the current folder, or below the temporary one where that cannot be written to.
        """
        self._formats = tuple(dict.fromkeys((*ALWAYS, format_name)))
        self._name = f"hangbisect-{plain(command)}-{now:%Y%m%d-%H%M%S}"
        self._folder = output
        self._count = 0
        if output is not None:
            _take(output)

    def tell(self, outcome: session.Outcome) -> None:
        """Write an incident and say so in a line; what cannot be written is said there too."""
        self._count += 1
        line = f"hangbisect: {words(outcome.diagnosis)}"
        try:
            where = f"Report: {self._write(outcome)}"
        except OutputError as error:
            where = f"The report is lost: {error}"
        put(f"{line} {where}\n", sys.stderr)

    def _write(self, outcome: session.Outcome) -> Path:
        """Write to a folder beside, which then gets its name in one step."""
        if self._folder is None:
            self._folder = _made(self._name)
        folder = self._folder / f"{self._count}-pid{outcome.diagnosis.target.pid}"
        try:
            place = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=self._folder))
        except OSError as error:
            raise OutputError(f"cannot write {folder}: {error.strerror}") from error
        try:
            self._fill(place, outcome)
            place.rename(folder)  # refused by the system if there is one that holds anything
        except OSError as error:
            raise OutputError(f"cannot write {folder}: {error.strerror}") from error
        finally:
            shutil.rmtree(place, ignore_errors=True)
        return folder / "report.txt"

    def _fill(self, place: Path, outcome: session.Outcome) -> None:
        for name in self._formats:
            text = render(outcome.diagnosis, name)
            data = text.encode("utf-8", "backslashreplace")
            private.write(data, place / f"report.{suffix_of(name)}")
        session.save(outcome.snapshot, place / session.SNAPSHOT)


def words(diagnosis: Diagnosis) -> str:
    """Say in a line which process it is, what it is to the program, and what is the matter."""
    pid = diagnosis.target.pid
    role = next((note.role for note in diagnosis.processes if note.pid == pid), "")
    word, sentence = headline(diagnosis)
    return f"process {pid}{f' ({role})' if role else ''} {word}: {' '.join(sentence.split())}"


def plain(command: str) -> str:
    """Make a part of a folder's name of a command's."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(command).name).strip("-.")
    return name[:_LONGEST] or "command"


def _take(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if any(folder.iterdir()):
            raise OutputError(f"{folder} holds something already", "Name a new or an empty folder.")
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"cannot write to {folder}: {error.strerror}") from error


def _made(name: str) -> Path:
    """Make a new folder here, or in the temporary folder; a name that is taken gets a number."""
    error: OSError | None = None
    for place in (Path.cwd, lambda: Path(tempfile.gettempdir())):
        for number in range(1, 100):
            try:
                folder = place() / (name if number == 1 else f"{name}-{number}")
                folder.mkdir(mode=0o700)
            except FileExistsError:
                continue
            except OSError as refused:
                error = refused
                break
            return folder
    why = error.strerror if error else "all names are taken"
    raise OutputError(f"there is no place for a folder of reports: {why}")
