"""The front's end of the line to the keeper: ask, wait for the answer, keep what else is told."""

import socket
import time
from collections import deque
from typing import TypeVar

from hangbisect.watch import wire
from hangbisect.watch.happenings import Continued, Exited, Stopped
from hangbisect.watch.ready import ready
from hangbisect.watch.signals import Received

T = TypeVar("T", bound=wire.Report)
_WITNESS_BOUND = 1.0
"""Seconds for the keeper to say which signals came to it."""
_WITNESSED = 20


class Line:
    """What was told and not yet read, and whether the line is dead."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self.told: deque[Exited | Stopped | Continued] = deque()
        """What became of the target, for the front to take."""
        self.is_dead = False
        """The keeper is gone, or was given up."""
        self.why = ""
        """Its last words, if a bug of ours ended it."""
        self._witnessed: deque[Received] = deque(maxlen=_WITNESSED)

    @property
    def fd(self) -> int:
        """The descriptor to wait on."""
        return self._end.fileno()

    def ask(self, request: wire.Request, out: int | None = None) -> None:
        """Send a request, and a descriptor with it.

        Raises:
            OSError: The keeper is gone, or the request is too large.
        """
        wire.ask(self._end, request, out)

    def answer_to(self, request: wire.Request, kind: type[T], bound: float) -> T | None:
        """Ask, and wait at most `bound` seconds for the answer."""
        if self.is_dead:
            return None
        try:
            self.ask(request)
        except OSError:  # it is gone: its end of the line will say so
            return None
        return self.answer(kind, bound)

    def answer(self, kind: type[T] | tuple[type[T], ...], bound: float) -> T | None:
        """Wait for a report of a kind, at most `bound` seconds."""
        until = time.monotonic() + bound
        while not self.is_dead and ready((self.fd,), max(0.0, until - time.monotonic())):
            report = self.hear()
            if isinstance(report, kind):
                return report
        return None

    def hear(self) -> wire.Report | None:
        """Take in one report; None if the keeper is gone."""
        report = wire.told(self._end)
        match report:
            case None:
                self.is_dead = True
            case Received():
                self._witnessed.append(report)
            case wire.Broken(why=why):
                self.why = why
            case Exited() | Stopped() | Continued():
                self.told.append(report)
            case _:
                pass  # the answer to what somebody waits for, or it came too late for them
        return report

    def was_for_the_group(self, received: Received) -> bool:
        """Tell whether the keeper got the same signal: then the sender meant the whole group."""
        self.answer_to(wire.TellSignals(), wire.SignalsTold, _WITNESS_BOUND)
        if received not in self._witnessed:
            return False
        self._witnessed.remove(received)
        return True

    def close(self) -> None:
        """Hang up: the keeper goes."""
        self.is_dead = True
        self._end.close()
