"""A fault of ours while a target runs: say it, and let the target go on to its own end."""

import contextlib
import sys
import traceback
from collections.abc import Iterator
from typing import Protocol

from hangbisect.errors import WatchFailed
from hangbisect.watch.happenings import Happening

BEAT = 1.0
"""Seconds between two looks whether the target has ended."""


class Parent(Protocol):
    """What the target's parent is asked."""

    @property
    def wait_status(self) -> int | None:
        """The target's wait status, None while it runs."""

    def wait(self, timeout: float) -> tuple[Happening, ...]:
        """Mind the target for a while."""


@contextlib.contextmanager
def outlasted(parent: Parent) -> Iterator[None]:
    """Let the target outlast a fault of ours in this block.

    Raises:
        WatchFailed: there was one, and the target has ended since.
    """
    try:
        yield
    except WatchFailed:
        raise
    except Exception as fault:
        say(fault, "The target is not watched any more: it goes on, and its exit status is kept.")
        while parent.wait_status is None:
            parent.wait(BEAT)
        raise WatchFailed(parent.wait_status) from fault


def say(fault: Exception, then: str) -> None:
    """Show a fault of ours on standard error, and what becomes of the target."""
    lines = "".join(traceback.format_exception(fault))
    with contextlib.suppress(OSError, ValueError):  # nobody could read it: the target goes on
        if sys.stderr is not None:
            sys.stderr.write(f"{lines}hangbisect failed; this is a bug in it. {then}\n")
            sys.stderr.flush()
