"""The log: the flight record as plain lines, each flushed as it is written.

The last line names the step even if everything dies afterwards. A log that cannot be written is a
warning, never a failure.
"""

import os
import shlex
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TextIO

from hangbisect.model import Event
from hangbisect.model.redact import redact_argv, redact_text


def log_line(event: Event, zero: float, wall: float) -> str:
    """Render one event: wall time, pid, event, module or command, place; plain ASCII, one line.

    `zero` is the CLOCK_MONOTONIC second that stands for the Unix time `wall`.
    """
    words = _words(event.name, event.file, event.line, event.argv)
    return f"{_stamp(wall + event.time - zero)} {event.pid} {event.what} {words}".rstrip()


def note_line(text: str, wall: float) -> str:
    """Render a remark of ours in the shape of a log line."""
    return f"{_stamp(wall)} hangbisect {plain(redact_text(text))}"


def _stamp(when: float) -> str:
    return f"{_second(int(when))}.{int(when % 1 * 1000):03d}"


@lru_cache(maxsize=4)
def _second(when: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(when))


@lru_cache(maxsize=8192)
def _words(name: str, file: str, line: int, argv: tuple[str, ...]) -> str:
    """Render what one event has in common with others: a program may write 10,000 a second."""
    place = f"{file}:{line}" if line else file
    command = shlex.join(redact_argv(argv))
    words = (name, f"({place})" if place else "", command)
    return plain(redact_text(" ".join(word for word in words if word)))


def plain(text: str) -> str:
    """Escape what is not printable ASCII: a log must never break a terminal."""
    if text.isascii() and text.isprintable():
        return text
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
                self._file = open(  # noqa: SIM115 - it stays open for the whole run
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
    """Open for the owner alone; a FIFO that nobody reads fails instead of waiting."""
    if sys.platform == "win32":
        return os.open(path, flags, 0o600)
    fd = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY, 0o600)
    os.set_blocking(fd, True)
    return fd
