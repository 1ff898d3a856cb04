"""The three clocks: when to look, when to give notice, and when patience is at an end.

Pure: it is told the time and what was seen, and says what is due.
"""

from enum import Enum

STILLNESS = 1.5
"""Seconds without progress after which a first look for the dead is worth its cost."""
LOOK_LIMIT = 20.0
"""Longest pause between two looks for the dead."""
JUMP = 2.0
"""A longer pause between two ticks means that we were stopped or suspended ourselves."""


class Due(Enum):
    """What the clocks ask for."""

    LOOK = "look for the dead"
    NOTICE = "give notice"
    PATIENCE = "patience is at an end"
    SPIN = "it burned CPU for the whole patience, and did nothing else"
    WITHIN = "the start took too long"


class Clocks:
    """Keep the time since the last progress. All times are seconds on CLOCK_MONOTONIC."""

    def __init__(
        self, now: float, *, notice: float, patience: float, within: float | None = None
    ) -> None:
        """Start all clocks at `now`."""
        self.notice = notice
        self.patience = patience
        self.quiet_since = now
        self.effort_since = now
        """When the last progress was seen that was more than CPU."""
        self._asked = now
        self._within = None if within is None else now + within
        self._ticked = now
        self._restart()

    def _restart(self) -> None:
        self._noticed = False
        self._impatient = False
        self._held_until = self.quiet_since
        self._next_look = self.quiet_since + STILLNESS
        self._pause = STILLNESS

    def progress(self, now: float) -> None:
        """Something moved: every clock but the one of the whole start begins again."""
        self.quiet_since = self.effort_since = now
        self._restart()

    def burned(self, now: float) -> None:
        """CPU was used and nothing else moved: not quiet, but perhaps a spin."""
        self.quiet_since = now
        self._restart()

    def quiet(self, now: float) -> float:
        """Return for how many seconds nothing has moved."""
        return now - self.quiet_since

    def tick(self, now: float, expected: float) -> None:
        """Leave out the time in which we were stopped: a tick that came much too late."""
        lost = now - self._ticked - expected
        if lost > JUMP:
            self.quiet_since += lost
            self.effort_since += lost
            self._next_look += lost
            if self._within is not None:
                self._within += lost
        self._ticked = now

    def looked(self, now: float) -> None:
        """A look for the dead was taken and found none: the next one comes later each time."""
        self._pause = min(self._pause * 1.6, LOOK_LIMIT)
        self._next_look = now + self._pause

    def look_soon(self, now: float, pause: float) -> None:
        """Ask for another look after `pause` seconds: the first one found somebody dead."""
        self._next_look = now + pause

    def due(self, now: float) -> tuple[Due, ...]:
        """Say what is due now; notice, patience and within are said once."""
        found = []
        if self._within is not None and now >= self._within:
            self._within = None
            found.append(Due.WITHIN)
        if self._is_out_of_patience(now) and not self._impatient:
            self._impatient = True
            found.append(Due.PATIENCE)
        elif self.quiet(now) >= self.notice and not self._noticed:
            self._noticed = True
            found.append(Due.NOTICE)
        elif now >= self._next_look:
            found.append(Due.LOOK)
        if self.is_burning(now) and now - max(self.effort_since, self._asked) >= self.patience:
            self._asked = now
            found.append(Due.SPIN)
        return tuple(found)

    def is_burning(self, now: float) -> bool:
        """Tell whether CPU is all that moved for a while."""
        return self.quiet_since - self.effort_since > STILLNESS and self.quiet(now) < STILLNESS

    def postpone(self, until: float) -> None:
        """Hold back the end of patience to a known deadline."""
        self._impatient = False
        self._held_until = until

    def _is_out_of_patience(self, now: float) -> bool:
        return self.quiet(now) >= self.patience and now >= self._held_until
