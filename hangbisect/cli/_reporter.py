"""Report a run: each verdict as it is reached, and how it ended.

The text goes to standard error, because standard output is the target's; JSON that goes to
standard output comes once, at the end.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from hangbisect.cli import _output
from hangbisect.cli._look import style_for
from hangbisect.cli._status import is_worth_saying
from hangbisect.cli._stream import put
from hangbisect.errors import OutputError
from hangbisect.model import Diagnosis
from hangbisect.report import PLAIN, render


class Reporter:
    """What was asked for, and what was said so far."""

    def __init__(
        self, format_name: str | None, output: Path | None, environment: Mapping[str, str]
    ) -> None:
        """Refuse at once what could not be written in the end."""
        self._format = _output.format_of(format_name, output)
        self._asked = format_name is not None
        self._output = output
        self._environment = environment
        self._said: Diagnosis | None = None
        self._written: Diagnosis | None = None
        _output.check(output)

    def tell(self, diagnosis: Diagnosis) -> None:
        """Report a verdict while the run may go on."""
        self._say(diagnosis)
        if self._output is not None and not _output.is_stdout(self._output):
            self._write(diagnosis)

    def close(self, diagnosis: Diagnosis, folder: Path | None) -> None:
        """Report how it came out, and where the facts are kept if they are."""
        self._say(diagnosis)
        if folder is not None and self._said is not None:
            put(f"The facts are kept: hangbisect show {folder}\n", sys.stderr)
        if self._output is not None or self._format != _output.DEFAULT:
            self._write(diagnosis)

    def _say(self, diagnosis: Diagnosis) -> None:
        asked = self._asked and self._output is None and self._format == _output.DEFAULT
        if diagnosis == self._said or not (asked or is_worth_saying(diagnosis)):
            return
        self._said = diagnosis
        style = style_for(sys.stderr, self._environment)
        put(render(diagnosis, _output.DEFAULT, style), sys.stderr)

    def _write(self, diagnosis: Diagnosis) -> None:
        """Write the report that was asked for; the target's exit status matters more than it."""
        if diagnosis == self._written:
            return
        text = render(diagnosis, self._format, PLAIN)
        try:
            _output.deliver(text, self._output, sys.stdout, replace=self._written is not None)
        except OutputError as error:
            put(f"hangbisect: the report is lost: {error}\n", sys.stderr)
        self._written = diagnosis
