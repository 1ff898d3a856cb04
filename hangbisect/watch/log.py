"""The log: the flight record as plain lines, each flushed as it is written.

The last line names the step even if everything dies afterwards. A log that cannot be written is a
warning, never a failure.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from hangbisect.model import Event
from hangbisect.model.redact import redact_text


def log_line(event: Event, zero: float, wall: float) -> str:
    """Render one event: wall time, pid, event, module, place; plain ASCII, one line.

    `zero` is the CLOCK_MONOTONIC second that stands for the Unix time `wall`.
    """
    when = wall + event.time - zero
    stamp = (
        time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(when)) + f".{int(when % 1 * 1000):03d}"
    )
    place = f"({event.file}:{event.line})" if event.file else ""
    words = (stamp, str(event.pid), event.what, event.name, place)
    return plain(redact_text(" ".join(word for word in words if word)))


def note_line(text: str, wall: float) -> str:
    """Render a remark of ours in the shape of a log line."""
    stamp = (
        time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(wall)) + f".{int(wall % 1 * 1000):03d}"
    )
    return plain(f"{stamp} hangbisect {redact_text(text)}")


def plain(text: str) -> str:
    """Escape what is not printable ASCII: a log must never break a terminal."""
    return "".join(
        c if " " <= c <= "~" else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


class Log:
    """Write lines to a file, and to stderr where asked for."""

    def __init__(self, path: Path | None, echo: TextIO | None, warn: Callable[[str], None]) -> None:
        """Open the file for appending; say so through `warn` if that fails, and go on without."""
        self._file: TextIO | None = None
        self._echo = echo
        self._warn = warn
        if path is not None:
            try:
                self._file = open(
                    path, "a", encoding="ascii", errors="backslashreplace", opener=_private
                )
            except OSError as error:
                warn(f"the log {path} cannot be written: {error.strerror}")

    @property
    def wanted(self) -> bool:
        """Tell whether anybody reads the lines."""
        return self._file is not None or self._echo is not None

    def write(self, line: str) -> None:
        """Write one line and flush it."""
        if self._file is not None:
            try:
                self._file.write(line + "\n")
                self._file.flush()
            except OSError as error:
                self._file = None
                self._warn(f"the log cannot be written any more: {error.strerror}")
        if self._echo is not None:
            try:
                self._echo.write(line + "\n")
                self._echo.flush()
            except OSError:
                self._echo = None  # nobody reads our stderr any more: the file goes on

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _private(path: str, flags: int) -> int:
    """Open a file that only its owner may read."""
    return os.open(path, flags, 0o600)
