"""Put what the looks give into one Snapshot."""

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from hangbisect.model import Event, Facts, Flight, Process, Snapshot, Step
from hangbisect.watch.climb import Looks, Passive, builds, passive, paths, texts, thorough
from hangbisect.watch.merge import merge, record_gaps, unrecorded_gap, with_steps, with_stillness
from hangbisect.watch.milestones import with_scopes
from hangbisect.watch.paces import paces
from hangbisect.watch.placed import placed
from hangbisect.watch.restarts import losses
from hangbisect.watch.roles import loaders
from hangbisect.watch.scene import Scene, Wanted
from hangbisect.watch.steps import last_step, step_of, with_vforked


class Record(Protocol):
    """What collect needs of a flight record."""

    def flights(self) -> tuple[Flight, ...]:
        """Return what each process has in progress."""

    def unrecorded(self) -> int:
        """Count the processes that got no record because the run's budget was spent."""

    def tail(self, zero: float) -> tuple[Event, ...]:
        """Return the last events, with times since `zero`."""


def collect(look: Looks, scene: Scene, record: Record | None, wanted: Wanted) -> Snapshot:
    """Look at a tree once, and say all that was seen."""
    question = scene.question
    seen = passive(look, question)
    flights = record.flights() if record else ()
    facts = merge(seen.parts)
    facts = replace(facts, threads=placed(facts.threads, flights, scene.cwd))
    facts = merge([facts, *texts(look, question, facts.threads), *paths(look, question, facts)])
    if wanted.rates_from is not None:
        facts = merge([facts, *builds(look, question, facts)])
    if wanted.thorough:
        facts = merge([facts, *thorough(look, question, facts, spin=wanted.spin)])
    facts = merge([facts, *unrecorded_gap(record.unrecorded() if record else 0)])
    tail = record.tail(question.began) if record else ()
    return replace(_snapshot(scene, wanted, seen, facts, flights), tail=tail)


def _snapshot(
    scene: Scene, wanted: Wanted, seen: Passive, facts: Facts, flights: tuple[Flight, ...]
) -> Snapshot:
    zero = scene.question.began
    by_pid = {flight.pid: flight for flight in flights}
    return Snapshot(
        tool=scene.tool,
        system=scene.system,
        root=scene.question.root,
        blame=scene.question.root,
        launchers=scene.launchers,
        wall=scene.wall,
        taken=wanted.now - zero,
        watched_since=scene.watched_since,
        quiet_since=None if wanted.quiet_since is None else wanted.quiet_since - zero,
        moving=_moving(wanted, seen),
        motions=wanted.motions,
        paces=paces(wanted.rates_from, seen.after),
        occasion=wanted.occasion,
        cwd=scene.cwd,
        interpreter=scene.interpreter,
        interpreter_reason=scene.interpreter_reason,
        environment=scene.environment,
        processes=_processes(facts, by_pid, zero),
        threads=with_stillness(
            with_scopes(placed(facts.threads, flights, scene.cwd), facts.scopes),
            seen.still,
            seen.since(wanted.calm, zero),
        ),
        descriptors=facts.descriptors,
        sockets=facts.sockets,
        locks=facts.locks,
        beats=facts.beats,
        repeats=facts.repeats,
        paths=facts.paths,
        builds=facts.builds,
        losses=losses(flights),
        sources=facts.sources,
        gaps=(*scene.gaps, *record_gaps(flights), *facts.gaps),
    )


def _processes(facts: Facts, flights: dict[int, Flight], zero: float) -> tuple[Process, ...]:
    steps, last = _steps(facts, flights, zero)
    return with_steps(facts.processes, flights, steps, last, loaders(facts.threads))


def _moving(wanted: Wanted, seen: Passive) -> tuple[str, ...]:
    """Name what moves: what was known to, and what these looks saw."""
    known = (*wanted.moving, *(motion.what for motion in wanted.motions))
    return tuple(dict.fromkeys((*known, *seen.moving)))


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
