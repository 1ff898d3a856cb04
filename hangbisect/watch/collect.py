"""Climb the ladder of looks and put what they give into one Snapshot.

Passive looks come first; whether a thread was still is judged by two samples around them, and only
then comes what stops the target, if it was allowed at all.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.model import Facts, Flight, Gap, Sample, Snapshot, Step, System, Thread
from hangbisect.model._struct import Data
from hangbisect.model.snapshot import Occasion
from hangbisect.watch.ladder import Name
from hangbisect.watch.looker import Looked
from hangbisect.watch.merge import merge, record_gaps, with_steps, with_stillness
from hangbisect.watch.polled import polled_paths, polling_threads, running_threads, wants_native
from hangbisect.watch.progress import moved, still_threads
from hangbisect.watch.steps import last_step, lines_of, step_of, with_vforked

Looks = Callable[[Name, Question], Looked]


class Scene(Data, frozen=True, kw_only=True):
    """What does not change while a target is watched."""

    question: Question
    system: System
    tool: str
    wall: float
    """Unix time that counts as zero."""
    cwd: str = ""
    argv: tuple[str, ...] = ()
    """The command line, for a target that has gone before it was looked at."""
    interpreter: str = ""
    interpreter_reason: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    launchers: tuple[int, ...] = ()
    watched_since: float = 0.0
    gaps: tuple[Gap, ...] = ()


class Record(Protocol):
    """What collect needs of a flight record."""

    def flights(self) -> tuple[Flight, ...]:
        """Return what each process has in progress."""


def collect(
    look: Looks,
    scene: Scene,
    record: Record | None,
    *,
    occasion: Occasion,
    now: float,
    quiet_since: float | None,
    thorough: bool,
    spin: bool = False,
    calm: Sample | None = None,
    moving: tuple[str, ...] = (),
) -> Snapshot:
    """Take one Snapshot.

    Args:
        look: Takes a look.
        scene: What does not change.
        record: The flight record, if there is one.
        occasion: Why it is taken.
        now: Seconds on CLOCK_MONOTONIC.
        quiet_since: The last progress, None if there is some.
        thorough: Allow the looks that stop the target for a moment.
        spin: Ask whether a running thread goes round in a circle, which stops it often.
        calm: The first sample since the last progress: who has been in one call ever since?
        moving: What is known to move, beyond what these looks see moving.
    """
    zero = scene.question.began
    passive = _passive(look, scene.question)
    facts = merge(passive.parts)
    flights = {f.pid: f for f in record.flights()} if record else {}
    texts = _texts(look, scene.question, facts.threads)
    facts = merge([facts, *texts, *_paths(look, scene.question, facts)])
    if thorough:
        facts = merge([facts, *_thorough(look, scene.question, facts, spin=spin)])
    return Snapshot(
        tool=scene.tool,
        system=scene.system,
        root=scene.question.root,
        blame=scene.question.root,
        launchers=scene.launchers,
        wall=scene.wall,
        taken=now - zero,
        watched_since=scene.watched_since,
        quiet_since=None if quiet_since is None else quiet_since - zero,
        moving=tuple(dict.fromkeys((*moving, *passive.moving))),
        occasion=occasion,
        cwd=scene.cwd,
        interpreter=scene.interpreter,
        interpreter_reason=scene.interpreter_reason,
        environment=scene.environment,
        processes=with_steps(facts.processes, flights, *_steps(facts, flights, zero)),
        threads=with_stillness(facts.threads, passive.still, passive.since(calm, zero)),
        descriptors=facts.descriptors,
        sockets=facts.sockets,
        locks=facts.locks,
        beats=facts.beats,
        repeats=facts.repeats,
        paths=facts.paths,
        sources=facts.sources,
        gaps=(*scene.gaps, *record_gaps(flights.values()), *facts.gaps),
    )


class _Passive(Data, frozen=True, kw_only=True):
    """What was seen without stopping anything, between two samples."""

    parts: tuple[Facts, ...]
    before: Sample | None
    after: Sample | None

    @property
    def still(self) -> frozenset[tuple[int, int]]:
        if self.before is None or self.after is None:
            return frozenset()
        return still_threads(self.before, self.after)

    @property
    def moving(self) -> tuple[str, ...]:
        if self.before is None or self.after is None:
            return ()
        return moved(self.before, self.after)

    def since(self, calm: Sample | None, zero: float) -> dict[tuple[int, int], float]:
        """Say of each thread that is in the call in which `calm` found it, when that was."""
        if calm is None or self.before is None:
            return {}
        return dict.fromkeys(still_threads(calm, self.before), calm.time - zero)


def _passive(look: Looks, question: Question) -> _Passive:
    before, gaps_before = _sample(look, question)
    parts = [*_parts(look("facts", question)), *_parts(look("stacks", question))]
    after, gaps_after = _sample(look, question)
    return _Passive(parts=(*gaps_before, *parts, *gaps_after), before=before, after=after)


def _sample(look: Looks, question: Question) -> tuple[Sample | None, list[Facts]]:
    looked = look("sample", question)
    samples = [part for part in looked.parts if isinstance(part, Sample)]
    return (samples[-1] if samples else None), ([Facts(gaps=(looked.gap,))] if looked.gap else [])


def _parts(looked: Looked) -> list[Facts]:
    parts = [part for part in looked.parts if isinstance(part, Facts)]
    return [*parts, Facts(gaps=(looked.gap,))] if looked.gap else parts


def _texts(look: Looks, question: Question, threads: Sequence[Thread]) -> list[Facts]:
    lines = tuple(dict.fromkeys(line for thread in threads for line in lines_of(thread.frames)))
    return _parts(look("sources", msgspec.structs.replace(question, lines=lines))) if lines else []


def _paths(look: Looks, question: Question, facts: Facts) -> list[Facts]:
    paths = polled_paths(facts)
    return _parts(look("paths", msgspec.structs.replace(question, paths=paths))) if paths else []


def _thorough(look: Looks, question: Question, facts: Facts, *, spin: bool) -> list[Facts]:
    """Stop what may be stopped: listen to those that poll or run, then read native stacks."""
    found: list[Facts] = []
    if threads := polling_threads(facts):
        found += _parts(look("beats", msgspec.structs.replace(question, threads=threads)))
        found += _paths(look, question, merge([facts, *found]))
    if spin and (threads := running_threads(facts)):
        found += _parts(look("states", msgspec.structs.replace(question, threads=threads)))
    if spin or wants_native(facts):
        found += _parts(look("native", question))
    return found


def _steps(
    facts: Facts, flights: Mapping[int, Flight], zero: float
) -> tuple[dict[int, Step], dict[int, Step]]:
    texts = {(file, line): text for file, line, text in facts.sources}
    steps: dict[int, Step] = {}
    last: dict[int, Step] = {}
    for process in facts.processes:
        pid = process.pid
        flight = flights.get(pid)
        if not process.inside or not (process.python or flight):
            continue
        frames = next((t.frames for t in facts.threads if t.pid == pid and t.tid == pid), ())
        steps[pid] = step_of(pid, flight, frames, pid, texts, zero)
        if done := last_step(pid, flight, zero):
            last[pid] = done
    return with_vforked(steps, facts.threads), last
