"""Write to our own streams, which may be closed, full, or a terminal that is gone."""

import os
import sys
from typing import TextIO

from hangbisect.errors import OutputError


def put(text: str, stream: TextIO | None) -> None:
    """Write to a stream; one that is closed, or whose reader has gone away, is no error.

    Raises:
        OutputError: what was asked for on standard output cannot be written. What is said on
            standard error is lost instead: there is no other place to say so.
    """
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except ValueError:
        return  # it was closed
    except OSError as error:
        _give_up(stream)
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            raise OutputError(
                f"cannot write to standard output: {error.strerror}",
                "Send it to a file on a disk with room, or write the report with -o FILE.",
            ) from error


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a stream of ours is open and a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False  # it was closed


def _give_up(stream: TextIO) -> None:
    """Point it at nothing: Python would complain once more when it flushes it at its end."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, stream.fileno())
    finally:
        os.close(nothing)
