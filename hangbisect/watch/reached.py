"""How far a run's start has come: told of events and looks, it glimpses where neither tells enough.

Where no probe times the phases (below Python 3.12) stacks are glimpsed at, ever more rarely, until
training begins. A glimpse is not waited for.
"""

from collections.abc import Callable

from msgspec.structs import replace

from hangbisect.host import Question
from hangbisect.model import Event, Facts, Phase, Snapshot, Thread
from hangbisect.watch.ladder import Name
from hangbisect.watch.looker import Looked, Pending
from hangbisect.watch.merge import merge
from hangbisect.watch.milestones import Function, functions_of, with_scopes
from hangbisect.watch.phases import Phases, timed, words
from hangbisect.watch.placed import placed
from hangbisect.watch.scene import Scene
from hangbisect.watch.sharing import Records

FIRST = 1.0
"""Seconds until the first glimpse."""
PAUSE = 2.0
"""Shortest pause between two glimpses, in seconds; it grows with the age of the run."""
LONGEST = 10.0

LookSoon = Callable[[Name, Question], Pending | Looked]
Tell = Callable[[Event], None]


class Reached:
    """State over the time of one run. All times are seconds on CLOCK_MONOTONIC."""

    def __init__(self, record: Records, look: LookSoon, scene: Scene, tell: Tell) -> None:
        """Begin; `tell` is given what stacks tell, in the shape of a probe's events."""
        self._zero = scene.question.began
        self._phases = Phases(self._zero)
        self._record = record
        self._look = look
        self._tell = tell
        self._cwd = scene.cwd
        self._due = self._zero + FIRST
        self._taken = 0.0
        self._pending: Pending | Looked | None = None
        self._threads: tuple[Thread, ...] = ()
        self._names: dict[Function, str] = {}

    @property
    def phases(self) -> tuple[Phase, ...]:
        """What is known, with times since the start."""
        return self._phases.all

    @property
    def phases_at_end(self) -> tuple[Phase, ...]:
        """What is known of a target that is gone: nobody saw whether a phase of a stack went on."""
        return tuple(p for p in self.phases if p.ended is not None or p.source != "stack")

    @property
    def training_has_begun(self) -> bool:
        """A process of the tree trains: its start is over."""
        return self._phases.training_has_begun

    def see(self, event: Event) -> None:
        """Take in what a probe wrote."""
        self._phases.see(event)

    def words(self, pid: int) -> str:
        """Say where the start of a process stands, "" if nothing tells."""
        return words(self.phases, pid)

    def read(self, snapshot: Snapshot, now: float) -> Snapshot:
        """Take in the stacks of a snapshot; return it with all phases."""
        self._observe(snapshot.threads, now)
        return replace(snapshot, phases=self.phases)

    def glimpse(self, question: Question, now: float) -> None:
        """Look if it is time to, without waiting for the answer."""
        if self._pending is None:
            self._begin(question, now)
        looked = self._answer()
        if looked is None:
            return
        self._pending = None
        facts = merge(part for part in looked.parts if isinstance(part, Facts))
        self._names |= {(file, line, name): scope for file, line, name, scope in facts.scopes}
        if facts.threads:
            self._threads = placed(facts.threads, self._record.flights(), self._cwd)
            unknown = tuple(f for f in functions_of(self._threads) if f not in self._names)
            if unknown:
                self._pending = self._look("sources", replace(question, functions=unknown))
                return
        threads, self._threads = self._threads, ()
        self._observe(with_scopes(threads, self._scopes()), self._taken)

    def _begin(self, question: Question, now: float) -> None:
        if now < self._due or self.training_has_begun:
            return
        self._wait(now)
        flights = self._record.flights()
        if len(timed(flights)) < len(flights):
            self._taken = now
            self._pending = self._look("glimpse", question)

    def _answer(self) -> Looked | None:
        return self._pending.poll() if isinstance(self._pending, Pending) else self._pending

    def _observe(self, threads: tuple[Thread, ...], time: float) -> None:
        if not threads:
            return
        self._wait(time)
        for event in self._phases.observe(threads, time, timed(self._record.flights())):
            self._tell(event)

    def _wait(self, now: float) -> None:
        self._due = now + min(LONGEST, max(PAUSE, (now - self._zero) / 15))

    def _scopes(self) -> tuple[tuple[str, int, str, str], ...]:
        return tuple((*function, scope) for function, scope in self._names.items())
