"""The live status line on a terminal: one line that is rewritten while nothing moves."""

import os
import shutil
from typing import TextIO

from rich.filesize import decimal

from hangbisect.model import Step
from hangbisect.model._struct import Data
from hangbisect.watch.log import plain
from hangbisect.watch.terminal import in_foreground

SHOW_AFTER = 2.0
"""Seconds of quiet before the line appears: a program that talks is not interrupted."""


class Pulse(Data, frozen=True, kw_only=True):
    """What the line shows besides the step. Times are seconds."""

    elapsed: float
    quiet: float
    cpu: float
    """1.0 being one CPU."""
    traffic: float
    """Bytes a second, read and written."""


def status_text(
    step: Step | None, phase: str, pulse: Pulse, words: tuple[str, str], width: int
) -> str:
    """Compose the line: step and phase, quiet for how long, what it waits for, and counters.

    `words` are what it waits for, and a note for where that is not known.
    """
    waits, note = words
    parts = (
        f"hangbisect: {_name(step) if step else 'starting'}",
        phase,
        f"quiet for {pulse.quiet:.0f} s",
        waits,
        f"{pulse.elapsed:.0f} s, CPU {pulse.cpu * 100:.0f} %, I/O {decimal(int(pulse.traffic))}/s",
        "" if waits else note,
    )
    line = plain(" | ".join(part for part in parts if part))
    return line if len(line) < width else line[: max(20, width - 4)] + "..."


def _name(step: Step) -> str:
    place = f"{os.path.basename(step.file)}:{step.line}" if step.file else ""
    name = f"import {step.name}" if step.kind == "import" else step.name
    return " ".join(word for word in (place, name) if word) or step.kind


class StatusLine:
    """Rewrite one line on a terminal; do nothing where stderr is none, or in the background."""

    def __init__(self, stream: TextIO | None, *, wanted: bool) -> None:
        """Show the line on `stream` if it is a terminal and the line is `wanted`."""
        self._stream = stream
        self._on = wanted and _is_terminal(stream)
        self._shown = ""

    def show(self, text: str) -> None:
        """Replace the line."""
        if self._on and text != self._shown and in_foreground():
            self._write("\r\x1b[K" + text)
            self._shown = text

    def clear(self) -> None:
        """Remove the line, so that the target's own output starts at the left."""
        if self._shown:
            self._write("\r\x1b[K")
            self._shown = ""

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return shutil.get_terminal_size().columns

    def _write(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            self._on = False  # the terminal is gone


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False  # closed
