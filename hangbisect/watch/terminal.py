"""The terminal that we share with the target: who has its foreground, and its settings."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable

from hangbisect.watch import ending
from hangbisect.watch.census import Member, member

BEAT = 0.1
"""Seconds between two looks at who owns the terminal, while it has stopped the target."""
_LAST = 1.0
"""Seconds for which that goes on once we own it: a member may just be stopping."""


def in_foreground() -> bool:
    """Tell whether our process group owns the terminal, or there is none.

    Write a status line only then: of a job in the background a person expects silence.
    """
    us = member(os.getpid())
    return us is None or us.foreground == -1 or owns_terminal(us)


def owns_terminal(process: Member) -> bool:
    """Tell whether a process belongs to the foreground group of its terminal."""
    return process.foreground == process.group


def stopped_with(group: int, members: Iterable[Member]) -> tuple[Member, ...]:
    """Return the members of a process group that are stopped.

    SIGTTIN and SIGTTOU are sent to the whole group, so these are the ones to continue with it.
    """
    return tuple(one for one in members if one.group == group and one.state == "T")


class Continuer:
    """Continues what the terminal stopped, as soon as our group owns the terminal.

    The shell believes that we ran all the time, so its `fg` sends no SIGCONT.
    """

    def __init__(self) -> None:
        self._until: float | None = None

    @property
    def is_on(self) -> bool:
        """Whether `mind` has to be called each BEAT."""
        return self._until is not None

    def note(self, number: int) -> None:
        """Take note of a signal that stopped the target, or that came to our group."""
        if sys.platform != "linux":
            raise NotImplementedError
        if number in {signal.SIGTTIN, signal.SIGTTOU}:
            self._until = float("inf")

    def mind(self, members: Callable[[], Iterable[Member]]) -> None:
        """Send SIGCONT to the stopped ones of our group, if it owns the terminal now."""
        if sys.platform != "linux":
            raise NotImplementedError
        if self._until is None:
            return
        us = member(os.getpid())
        if us is None or not owns_terminal(us):
            return
        for process in stopped_with(us.group, members()):
            ending.send(process, signal.SIGCONT)
        now = time.monotonic()
        self._until = min(self._until, now + _LAST)
        if now >= self._until:
            self._until = None


class Settings:
    """The terminal's settings (echo, line mode ...), kept to be put back.

    A program that is killed while it reads a password leaves the terminal without echo.
    """

    def __init__(self) -> None:
        """Read them; where there is no terminal, nothing will be put back."""
        self._attributes = _read()

    def put_back(self) -> None:
        """Set the terminal as it was, if it is still ours and was changed."""
        if sys.platform != "linux":
            raise NotImplementedError
        import termios

        if self._attributes is None or not in_foreground() or _read() == self._attributes:
            return
        fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            termios.tcsetattr(fd, termios.TCSADRAIN, self._attributes)
        except termios.error:
            return  # it was hung up meanwhile
        finally:
            os.close(fd)


def _read() -> list[int | list[bytes | int]] | None:
    if sys.platform != "linux":
        raise NotImplementedError
    import termios

    try:
        fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:  # no controlling terminal
        return None
    try:
        return termios.tcgetattr(fd)
    except termios.error:  # it was hung up
        return None
    finally:
        os.close(fd)
