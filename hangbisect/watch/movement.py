"""Whether the target makes progress: its flight record and its counters, over time."""

from typing import Literal

from hangbisect.host import Question
from hangbisect.model import Event, Flight, ProcessPulse, Sample
from hangbisect.watch.climb import Looks
from hangbisect.watch.echo import Echo
from hangbisect.watch.news import News
from hangbisect.watch.paces import Paces
from hangbisect.watch.progress import cpu_share, main_moved, moved, traffic
from hangbisect.watch.restarts import doomed, restarters
from hangbisect.watch.sharing import Records

Movement = Literal["progress", "burned", "quiet", "unknown"]
"""burned: CPU was used and nothing else moved. unknown: there is no second sample yet."""
PAUSE = 0.5
"""Seconds between two samples."""
FAMILIES = 2.0
"""Seconds between two questions whether children die and are started again."""


class Movements:
    """Keep the latest counters and compare them with the next."""

    def __init__(self, record: Records, look: Looks) -> None:
        """Compare what `record` and `look` give from now on."""
        self._record = record
        self._look = look
        self._news = News()
        self._polled: tuple[Event, ...] = ()
        self._sample: Sample | None = None
        self._doomed: frozenset[int] = frozenset()
        self._restarters: frozenset[int] = frozenset()
        self._others = 0
        self._echo = Echo()
        self._next_families = 0.0
        self.paces = Paces()
        """How fast it goes on, and since when."""
        self.calm: Sample | None = None
        """The first sample since the last progress."""
        self.cpu = 0.0
        """CPU use of the tree between the last two samples, 1.0 being one CPU."""
        self.traffic = 0.0
        """Bytes a second that the tree read and wrote between the last two samples."""

    def events(self, now: float) -> Movement:
        """Tell whether the probes wrote anything that is more than a repetition."""
        polled = self._record.poll()
        self._polled += polled
        news = [event for event in polled if self._news.is_news(event)]
        if not news:
            return "quiet"
        self._echo.forget()
        if not self._doomed and now < self._next_families:
            return "progress"
        self._next_families = now + FAMILIES
        flights = self._record.flights()
        self._doomed = doomed(flights)
        self._restarters = restarters(flights, self._doomed)
        return "progress" if not self._doomed or self._others_wrote(flights) else "quiet"

    def taken(self) -> tuple[Event, ...]:
        """Give the events that came since this was asked last."""
        polled, self._polled = self._polled, ()
        return polled

    def forget(self) -> None:
        """Begin a new comparison: progress was seen elsewhere."""
        self._sample = self.calm = None

    def went_on(self, question: Question, now: float, *, burning: bool) -> bool:
        """Tell whether the target moved while it was looked at, or is gone by now.

        `burning`: CPU alone is what it is accused of, and no sign of life.
        """
        if self.events(now) == "progress":
            return True
        movement = self.sample(question, now, at_once=True)
        root = next((p for p in self._processes() if p.pid == question.root), None)
        gone = root is None or root.state in "ZX"
        return gone or movement == "progress" or (movement == "burned" and not burning)

    def _processes(self) -> tuple[ProcessPulse, ...]:
        return self._sample.processes if self._sample else ()

    def sample(self, question: Question, now: float, *, at_once: bool = False) -> Movement:
        """Take counters, not more often than every `PAUSE` seconds, and compare."""
        if not at_once and self._sample is not None and now - self._sample.time < PAUSE:
            return "unknown"
        samples = [p for p in self._look("sample", question).parts if isinstance(p, Sample)]
        if not samples:
            return "unknown"
        before, self._sample = self._sample, samples[-1]
        self.paces.take(self._sample)
        movement = self._compare(before, self._sample) if before else "unknown"
        if movement == "progress" or self.calm is None:
            self.calm = self._sample
        return movement

    def _compare(self, before: Sample, after: Sample) -> Movement:
        self.cpu = cpu_share(before, after)
        self.traffic = traffic(before, after)
        repeating = self._doomed | self._restarters
        if main_moved(before, after, self._restarters):
            return "progress"
        what = moved(before, after, repeating)
        if what == ("bytes read",) and self._echo.is_one(before, after):
            return "quiet"
        if what == ("CPU",):
            return "burned"
        if what not in ((), ("bytes read",)):
            self._echo.forget()
        return "progress" if what else "quiet"

    def _others_wrote(self, flights: tuple[Flight, ...]) -> bool:
        others = sum(flight.events for flight in flights if flight.pid not in self._doomed)
        before, self._others = self._others, others
        return others > before
