"""Where reports go: a new file, or a stream of ours."""

import sys
from pathlib import Path
from typing import TextIO

from hangbisect.cli._stream import put
from hangbisect.errors import UsageError
from hangbisect.model import private
from hangbisect.report import format_of_suffix, formats

DEFAULT = "terminal"


def format_of(name: str | None, output: Path | None) -> str:
    """Return the format that was asked for, or that the file's suffix names, or text."""
    known = formats()
    if name is not None:
        if name not in known:
            raise UsageError(
                f"there is no report format {name!r}", help=f"Formats: {', '.join(known)}."
            )
        return name
    suffix = output.suffix.removeprefix(".") if output is not None else ""
    return (format_of_suffix(suffix) if suffix else None) or DEFAULT


def check(output: Path | None) -> None:
    """Refuse a file that could not be written, before anything is started."""
    if output is not None and not is_stdout(output):
        private.check_writable(output)


def keep_apart(log: Path | None, output: Path | None) -> None:
    """Refuse one file for the log and the report; a device (`/dev/null`) may be both."""
    if log is None or output is None or is_stdout(output):
        return
    if log.resolve() == output.resolve() and not output.is_char_device():
        raise UsageError(f"{output} is named for the log and for the report", help="Name two.")


def is_stdout(output: Path) -> bool:
    """Say whether `-o -` was given."""
    return str(output) == "-"


def deliver(
    text: str, output: Path | None, stream: TextIO | None, *, replace: bool = False
) -> None:
    """Write a report to the file (`replace`: it is ours), or to the stream if none was named."""
    if output is None:
        put(text, stream)
    elif is_stdout(output):
        put(text, sys.stdout)
    else:
        private.write(text.encode("utf-8", "backslashreplace"), output, replace=replace)
