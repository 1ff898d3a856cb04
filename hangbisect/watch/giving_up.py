"""What follows when somebody asks the target to end: Ctrl-C, or a signal to us. Pure.

The target has the signal already. The first one may be a person's verdict on a stall; the second
one is a wish that we end what did not answer.
"""

from msgspec.structs import replace

from hangbisect.model import Ending, Snapshot
from hangbisect.watch.happenings import Exited

ANSWER = 1.0
"""Seconds that a target has to answer the second Ctrl-C."""
AFTERMATH = 5.0
"""Seconds after a request within which the target's end is taken for its answer."""


class GivingUp:
    """Keep what was seen of the target before it was asked to end. Times are CLOCK_MONOTONIC."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self._asked: float | None = None
        self._end_at: float | None = None
        self.facts: Snapshot | None = None
        """The facts of the stall that somebody gave up on; None if there was none."""

    def ask(self, now: float, stall: Snapshot | None) -> None:
        """Take note of a request to end; `stall` are the facts if the target stood still."""
        self._asked = now
        if stall is not None:
            self.facts = replace(stall, occasion="interrupted")

    def ask_again(self, now: float, stall: Snapshot | None, quiet_since: float) -> bool:
        """Take note of Ctrl-C; tell whether it is the second one to a target that stood still."""
        first = self._asked
        self.ask(now, stall)
        again = first is not None and quiet_since <= first and self.facts is not None
        if again:
            self._end_at = now + ANSWER
        return again

    def calm(self) -> None:
        """Forget the wish to end the target: it goes on."""
        self._end_at = None

    def is_due(self, now: float) -> bool:
        """Tell, once, that the target had its time to answer."""
        due = self._end_at is not None and now >= self._end_at
        if due:
            self._end_at = None
        return due

    def explains(self, now: float) -> bool:
        """Tell whether an end now follows from the request, not from work taken up again."""
        return self._asked is not None and now - self._asked < AFTERMATH

    def ended(self, exited: Exited) -> Snapshot | None:
        """Return the facts of the stall with how it ended; None if there was no stall."""
        ending = Ending(code=exited.code, signal=exited.signal, asked=True)
        return replace(self.facts, ending=ending) if self.facts else None
