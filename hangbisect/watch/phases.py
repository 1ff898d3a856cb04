"""How far the start of each process has come: from its events, and from its stacks. Pure.

Two sources: what the probe wrote at that very moment (Python 3.12 on), and stacks seen from outside
(every version), which show what goes on but not when it began. Where the probe times the phases of
a process, stacks only say that one was left without a word: by an exception.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from hangbisect.model import Event, Flight, Frame, Phase, Thread
from hangbisect.watch.milestones import STEP, TRAINING, is_whole, milestones_in

STARTED = "interpreter started"
SCRIPT = "script started"
_MOST = 200
"""Entries that are kept of one process."""


def has_begun_training(phases: Iterable[Phase]) -> bool:
    """Tell whether a process trains already: its start is over, whatever it does now."""
    return any(p.name in (TRAINING, STEP) and p.ended is not None for p in phases)


def last_completed(phases: Iterable[Phase], pid: int) -> Phase | None:
    """Give the phase that a process completed last; None if none is known."""
    done = [p for p in phases if p.pid == pid and p.ended is not None and not p.failed]
    return max(reversed(done), key=lambda p: p.ended or 0.0, default=None)  # of equals the last


def in_progress(phases: Iterable[Phase], pid: int) -> Phase | None:
    """Give the innermost phase that a process is in; None if none is known."""
    return next((p for p in reversed(tuple(phases)) if p.pid == pid and p.ended is None), None)


def words(phases: Iterable[Phase], pid: int) -> str:
    """Say where the start of a process stands: "in model loading"; "" if nothing tells."""
    own = tuple(p for p in phases if p.pid == pid and p.source != "record")
    if current := in_progress(own, pid):
        return f"in {current.name}"
    done = last_completed(own, pid)
    return f"after {done.name}" if done else ""


class Phases:
    """Keep the phases of all processes. Events have times of CLOCK_MONOTONIC, phases since zero."""

    def __init__(self, zero: float) -> None:
        """Count all times from the second `zero` of CLOCK_MONOTONIC."""
        self._zero = zero
        self._of: dict[int, list[Phase]] = {}
        self._unseen: frozenset[Phase] = frozenset()

    @property
    def all(self) -> tuple[Phase, ...]:
        """What is known, in the order of what happened in each process."""
        return tuple(phase for phases in self._of.values() for phase in phases)

    @property
    def training_has_begun(self) -> bool:
        """A process of the tree trains: nothing of its start is to be looked for any more."""
        return any(has_begun_training(phases) for phases in self._of.values())

    def see(self, event: Event) -> None:
        """Take in what a probe wrote."""
        time = round(event.time - self._zero, 3)
        match event.what:
            case "start":
                self._of[event.pid] = []
                self._reach(event.pid, event.tid, STARTED, time)
            case "exec" if event.name == "__main__":
                if not any(p.name == SCRIPT for p in self._of.get(event.pid, ())):
                    self._reach(event.pid, event.tid, SCRIPT, time, file=event.file)
            case "phase":
                self._add(_of_event(event, began=time))
            case "phase-done" | "phase-failed":
                self._close(event, time)
            case _:
                pass

    def observe(
        self, threads: Iterable[Thread], time: float, timed: frozenset[int]
    ) -> tuple[Event, ...]:
        """Take in stacks seen at a second of CLOCK_MONOTONIC; return what they tell, as events.

        `timed` are the processes whose own probe says when a phase begins and ends.
        """
        now = round(time - self._zero, 3)
        told: list[Event] = []
        unseen: set[Phase] = set()
        for thread in threads:
            if not is_whole(thread):
                continue
            if thread.pid in timed:
                unseen |= self._unwound(thread)
            else:
                told += self._seen(thread, time, now)
        for phase in unseen & self._unseen:  # two looks in a row: its own end was not on its way
            self._replace(phase, replace(phase, ended=now, failed=True))
        self._unseen = frozenset(unseen)
        return tuple(told)

    def _seen(self, thread: Thread, time: float, now: float) -> list[Event]:
        shown = milestones_in(thread.frames)
        told = []
        mine = [p for p in self._of.get(thread.pid, ()) if p.tid == thread.tid]
        over = has_begun_training(self._of.get(thread.pid, ()))
        for phase in mine:
            lasts = phase.source == "stack" and phase.ended is None
            if lasts and all(m.phase != phase.name for m, _ in shown):
                self._complete(phase, now)
                told.append(_as_event(phase, "phase-done", time))
        for milestone, frame in shown:
            known = [p for p in mine if p.name == milestone.phase]
            if over or any(p.ended is None or not milestone.lasts for p in known):
                continue
            phase = _of_frame(thread, milestone.phase, frame, now, lasts=milestone.lasts)
            self._add(phase)
            told.append(_as_event(phase, "phase" if milestone.lasts else "phase-done", time))
        return told

    def _unwound(self, thread: Thread) -> set[Phase]:
        """Name the phases in progress of which nothing is left on their thread's stack."""

        def shows(phase: Phase) -> bool:
            return any(f.file == phase.file and f.line >= phase.line for f in thread.frames)

        return {
            phase
            for phase in self._of.get(thread.pid, ())
            if phase.tid == thread.tid and phase.ended is None and not shows(phase)
        }

    def _reach(self, pid: int, tid: int, name: str, time: float, file: str = "") -> None:
        self._add(Phase(pid=pid, tid=tid, name=name, ended=time, source="record", file=file))

    def _add(self, phase: Phase) -> None:
        phases = self._of.setdefault(phase.pid, [])
        if len(phases) < _MOST:
            phases.append(phase)

    def _close(self, event: Event, time: float) -> None:
        phase = self._find(
            lambda p: (p.pid, p.tid, p.name, p.ended) == (event.pid, event.tid, event.name, None)
        )
        if phase is None:
            if event.what == "phase-done":
                self._add(_of_event(event, ended=time))
        elif event.what == "phase-failed":
            self._replace(phase, replace(phase, ended=time, failed=True))
        else:
            self._complete(phase, time)

    def _complete(self, phase: Phase, time: float) -> None:
        """End a phase, and make it one with the same phase right before it."""
        phases = self._of[phase.pid]
        at = phases.index(phase)
        before = phases[at - 1] if at else None
        done = replace(phase, ended=time)
        alike = before is not None and before.name == phase.name and not before.failed
        if before and alike and before.began is not None and before.ended is not None:
            phases[at - 1 : at + 1] = [replace(before, ended=time)]
        else:
            phases[at] = done

    def _replace(self, old: Phase, new: Phase) -> None:
        phases = self._of[old.pid]
        if old in phases:
            phases[phases.index(old)] = new

    def _find(self, fits: Callable[[Phase], bool]) -> Phase | None:
        return next((p for p in reversed(self.all) if fits(p)), None)


def timed(flights: Iterable[Flight]) -> frozenset[int]:
    """Name the processes whose probe times the phases: Python 3.12 on, if nothing forbade it."""
    return frozenset(
        flight.pid
        for flight in flights
        if _version(flight.version) >= (3, 12)
        and flight.implementation == "cpython"
        and not any(note.startswith(("phases come", "free-threaded")) for note in flight.notes)
    )


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


def _of_event(event: Event, began: float | None = None, ended: float | None = None) -> Phase:
    return Phase(
        pid=event.pid,
        tid=event.tid,
        name=event.name,
        began=began,
        ended=ended,
        file=event.file,
        line=event.line,
    )


def _of_frame(thread: Thread, name: str, frame: Frame, now: float, *, lasts: bool) -> Phase:
    return Phase(
        pid=thread.pid,
        tid=thread.tid,
        name=name,
        began=now if lasts else None,
        ended=None if lasts else now,
        source="stack",
        file=frame.file,
        line=frame.line,
    )


def _as_event(phase: Phase, what: str, time: float) -> Event:
    return Event(
        time=time, pid=phase.pid, tid=phase.tid, what=what,
        name=phase.name, file=phase.file, line=phase.line,
    )  # fmt: skip
