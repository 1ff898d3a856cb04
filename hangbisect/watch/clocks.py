"""The three clocks: when to look, when to give notice, and when patience is at an end.

Pure: it is told the time and what was seen, and says what is due. Once training has begun it asks
for little: a look in ten seconds.
"""

from enum import Enum

STILLNESS = 1.5
"""Seconds without progress after which a first look for the dead is worth its cost."""
LOOK_LIMIT = 20.0
"""Longest pause between two looks for the dead."""
COUNT = 5.0
"""Longest pause between two counts while a limit for the start runs: for rates, at its end."""
TRAINING = 10.0
"""Seconds between two looks of any kind once training has begun."""
JUMP = 2.0
"""A longer pause between two ticks means that we were stopped or suspended ourselves."""


class Due(Enum):
    """What the clocks ask for."""

    LOOK = "look for the dead"
    NOTICE = "give notice"
    PATIENCE = "patience is at an end"
    SPIN = "it burned CPU for the whole patience, and did nothing else"
    WITHIN = "the start took too long"
    COUNT = "take counters: rates will be asked for"


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
        self._count_every = COUNT if within is None else min(COUNT, within / 2)
        self._next_count = now + self._count_every
        self.is_training = False
        self._next_sample = now
        self._ticked = now
        self._restart()

    def _restart(self) -> None:
        self._noticed = False
        self._impatient = False
        self._held_until = self.quiet_since
        self._next_look = self.quiet_since + self._at_least(STILLNESS)
        self._pause = STILLNESS

    def progress(self, now: float) -> None:
        """Something moved: every clock but the one of the whole start begins again."""
        self.quiet_since = self.effort_since = now
        self._restart()

    def burned(self, now: float) -> None:
        """CPU was used and nothing else moved: not quiet, but perhaps a spin."""
        self.quiet_since = now
        self._restart()

    def training_began(self, now: float) -> None:
        """The start is over: from now on nothing is asked for more often than so many seconds."""
        if not self.is_training:
            self.is_training = True
            self._within = None
            self._next_look = max(self._next_look, now + self._at_least(STILLNESS))

    def may_sample(self, now: float) -> bool:
        """Tell whether counters may be taken now, and count it as done if so."""
        if not self.is_training:
            return True
        if now < self._next_sample:
            return False
        self._next_sample = now + TRAINING
        return True

    def _at_least(self, seconds: float) -> float:
        """Wait so long that a sample in between would have shown movement, rare as they are."""
        return max(seconds, 2 * TRAINING) if self.is_training else seconds

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
        if self.is_training:
            self._pause = max(self._pause, TRAINING)
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
        elif self._within is not None and now >= self._next_count:
            self._next_count = now + self._count_every
            found.append(Due.COUNT)
        if self._is_out_of_patience(now) and not self._impatient:
            self._impatient = True
            found.append(Due.PATIENCE)
        elif self.quiet(now) >= self._at_least(self.notice) and not self._noticed:
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
        return self.quiet(now) >= self._at_least(self.patience) and now >= self._held_until
