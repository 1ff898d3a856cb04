"""What a flight record alone tells: for a run whose supervisor is gone."""

from collections.abc import Iterable
from pathlib import Path

from hangbisect.errors import SnapshotError
from hangbisect.host import this_host
from hangbisect.model import Event, Flight, Gap, Phase, Process, Snapshot
from hangbisect.record import Record
from hangbisect.watch.merge import record_gaps
from hangbisect.watch.phases import Phases
from hangbisect.watch.steps import last_step, step_of

NOT_LOOKED = Gap(
    what="what each thread waits for",
    why="only the flight record is there: nobody looked at the processes",
    remedy="while the program is stuck, run `hangbisect attach PID`",
)


def recorded(folder: Path, tool: str) -> Snapshot:
    """Read the folder of a flight record into a snapshot without threads.

    Raises:
        SnapshotError: there is no flight record in it.
    """
    record = Record(folder)
    events = record.poll()
    flights = sorted(record.flights(), key=lambda flight: flight.began)
    if not flights:
        raise SnapshotError(f"{folder} holds no flight record")
    root = flights[0]
    latest = max((event.time for event in events), default=root.began)
    return Snapshot(
        tool=tool,
        system=this_host().system(),
        root=root.pid,
        blame=root.pid,
        taken=latest - root.began,
        cwd=root.cwd,
        interpreter=root.executable,
        environment=root.environment,
        processes=tuple(_process(flight, root.began) for flight in flights),
        tail=record.tail(root.began),
        phases=_phases(events, root.began),
        gaps=(NOT_LOOKED, *record_gaps(flights)),
    )


def _phases(events: Iterable[Event], zero: float) -> tuple[Phase, ...]:
    phases = Phases(zero)
    for event in events:
        phases.see(event)
    return phases.all


def _process(flight: Flight, zero: float) -> Process:
    return Process(
        pid=flight.pid,
        parent=flight.parent,
        began=flight.began - zero,
        argv=flight.argv,
        executable=flight.executable,
        python=flight.version,
        hooked=True,
        exception=flight.exception,
        step=None if flight.finished else step_of(flight.pid, flight, (), flight.pid, {}, zero),
        last=last_step(flight.pid, flight, zero),
    )
