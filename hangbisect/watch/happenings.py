"""What happens to the target and to us while we wait: told to the run loop, which decides."""

import signal

from hangbisect.model import Gap
from hangbisect.model._struct import Data


class Exited(Data, frozen=True, kw_only=True, tag=True):
    """The target ended."""

    pid: int
    status: int
    """The wait status, as wait(2) gives it."""

    @property
    def code(self) -> int | None:
        """The exit code; None if a signal ended it."""
        return None if self.status & 0x7F else self.status >> 8 & 0xFF

    @property
    def signal(self) -> str | None:
        """The name of the signal that ended it, such as "SIGKILL"; None if it exited."""
        number = self.status & 0x7F
        return signal_name(number) if number else None

    @property
    def core(self) -> bool:
        """Whether it left a core dump."""
        return bool(self.status & 0x80)


class Stopped(Data, frozen=True, kw_only=True, tag=True):
    """The target was stopped by a signal (job control, or somebody's SIGSTOP)."""

    pid: int
    signal: int


class Continued(Data, frozen=True, kw_only=True, tag=True):
    """The target goes on after a stop."""

    pid: int


class Resumed(Data, frozen=True, kw_only=True, tag=True):
    """We ourselves got SIGCONT: we may have been stopped, and no clock counts that time."""


class Interrupted(Data, frozen=True, kw_only=True, tag=True):
    """Somebody pressed Ctrl-C, or sent us SIGINT. The target has got it too, or gets it now."""

    by_terminal: bool
    count: int
    """How many there were so far, this one included."""


class Signalled(Data, frozen=True, kw_only=True, tag=True):
    """Another signal that asks a program to end came to us. The target has got it too."""

    signal: int
    by_terminal: bool


class KeeperLost(Data, frozen=True, kw_only=True, tag=True):
    """The keeper is gone: the front is the target's parent now."""

    gap: Gap


Happening = Exited | Stopped | Continued | Resumed | Interrupted | Signalled | KeeperLost


def signal_name(number: int) -> str:
    """Name a signal: "SIGKILL", or "signal 40" where it has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
