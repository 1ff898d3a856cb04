"""How fast the tree goes on, and since when: rates over the last seconds. Pure."""

from collections import deque
from collections.abc import Callable

from hangbisect.model import Motion, Pace, ProcessPulse, Sample
from hangbisect.watch.progress import moved

WINDOW = 10.0
"""Seconds over which rates are measured, and the longest pause within one movement."""
RECENT = 6.0
"""Seconds after which what has not moved again no longer moves: a bit more than between counts."""


class Paces:
    """Keep the samples of the last seconds."""

    def __init__(self) -> None:
        """Begin with none."""
        self._samples: deque[Sample] = deque()
        self._since: dict[str, float] = {}
        self._last: dict[str, float] = {}

    def take(self, sample: Sample) -> None:
        """Note what moved since the sample before."""
        if self._samples:
            before = self._samples[-1]
            for what in moved(before, sample):
                if sample.time - self._last.get(what, float("-inf")) > WINDOW:
                    self._since[what] = before.time
                self._last[what] = sample.time
        self._samples.append(sample)
        while len(self._samples) > 2 and sample.time - self._samples[1].time >= WINDOW:
            self._samples.popleft()

    @property
    def before(self) -> Sample | None:
        """The sample that rates are measured from."""
        return self._samples[0] if self._samples else None

    def motions(self, now: float, zero: float) -> tuple[Motion, ...]:
        """Say since when each kind of movement goes on; `zero` is the time that counts as 0."""
        return tuple(
            Motion(what=what, since=round(self._since[what] - zero, 3))
            for what, last in self._last.items()
            if now - last <= RECENT
        )


def paces(before: Sample | None, after: Sample | None) -> tuple[Pace, ...]:
    """Measure each process between two samples; one that did nothing is left out.

    One that began in between has done all its work since then.
    """
    if before is None or after is None or after.time <= before.time:
        return ()
    old = {(p.pid, p.began): p for p in before.processes}
    seconds = after.time - before.time
    found = (_pace(old.get((p.pid, p.began)), p, seconds) for p in after.processes)
    return tuple(pace for pace in found if pace != Pace(pid=pace.pid, seconds=pace.seconds))


def _pace(old: ProcessPulse | None, new: ProcessPulse, seconds: float) -> Pace:
    def rate(count: Callable[[ProcessPulse], float]) -> float:
        was = count(old) if old is not None else 0
        return max(0.0, round((count(new) - was) / seconds, 3))

    return Pace(
        pid=new.pid,
        seconds=round(seconds, 3),
        cpu=rate(lambda pulse: pulse.cpu),
        read=rate(lambda pulse: pulse.read - pulse.stored),
        stored=rate(lambda pulse: pulse.stored),
        written=rate(lambda pulse: pulse.written),
        received=rate(lambda pulse: pulse.received),
        faults=rate(lambda pulse: pulse.minor_faults + pulse.major_faults),
        major_faults=rate(lambda pulse: pulse.major_faults),
    )
