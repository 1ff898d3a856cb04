"""Merge what several looks brought home into one set of tables. Pure."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

import msgspec

from hangbisect.model import Facts, Flight, Gap, Process, Step, Thread
from hangbisect.model._struct import Data
from hangbisect.watch.hooked import reason
from hangbisect.watch.roles import roles

Row = TypeVar("Row", bound=Data)


def merge(parts: Iterable[Facts]) -> Facts:
    """Join rows that speak of the same thing: what a later look says of it wins."""
    all_parts = tuple(parts)
    return Facts(
        processes=_rows(all_parts, lambda f: f.processes, lambda r: r.pid),
        threads=_rows(all_parts, lambda f: f.threads, lambda r: (r.pid, r.tid)),
        descriptors=_rows(all_parts, lambda f: f.descriptors, lambda r: (r.pid, r.fd)),
        sockets=_rows(all_parts, lambda f: f.sockets, lambda r: r.inode),
        locks=_rows(
            all_parts, lambda f: f.locks, lambda r: (r.kind, r.inode, r.holders, r.waiters)
        ),
        beats=tuple(row for part in all_parts for row in part.beats),
        repeats=_rows(all_parts, lambda f: f.repeats, lambda r: (r.pid, r.tid)),
        leavings=tuple(row for part in all_parts for row in part.leavings),
        paths=_rows(all_parts, lambda f: f.paths, lambda r: r.path),
        builds=_rows(all_parts, lambda f: f.builds, lambda r: r.folder),
        sources=tuple(dict.fromkeys(row for part in all_parts for row in part.sources)),
        scopes=tuple(dict.fromkeys(row for part in all_parts for row in part.scopes)),
        gaps=tuple(dict.fromkeys(row for part in all_parts for row in part.gaps)),
    )


def with_stillness(
    threads: Iterable[Thread],
    still: frozenset[tuple[int, int]],
    since: Mapping[tuple[int, int], float],
) -> tuple[Thread, ...]:
    """Mark the threads that did not move during all other looks, and say since when not at all."""
    return tuple(
        msgspec.structs.replace(t, still=(t.pid, t.tid) in still, since=since.get((t.pid, t.tid)))
        for t in threads
    )


def with_steps(
    processes: Iterable[Process],
    flights: dict[int, Flight],
    steps: dict[int, Step],
    last: dict[int, Step],
    loading: frozenset[int] = frozenset(),
) -> tuple[Process, ...]:
    """Add to each process its step, what it completed last, its role, and whether it is hooked.

    `loading` are the workers of a DataLoader.
    """
    rows = tuple(processes)
    hooked = _hooked(rows, flights)
    ours = next((row.owner for row in rows if row.inside), None)
    rows = tuple(msgspec.structs.replace(row, hooked=row.pid in hooked) for row in rows)
    inside = tuple(row for row in rows if row.inside)
    role = roles(inside, {pid: dict(f.environment) for pid, f in flights.items()}, loading)
    return tuple(
        msgspec.structs.replace(
            p,
            role=role.get(p.pid, ""),
            why_not_hooked=reason(p, ours) if p.python and not p.hooked else None,
            step=steps.get(p.pid),
            last=last.get(p.pid),
            exception=flights[p.pid].exception if p.pid in flights else "",
        )
        for p in rows
    )


def _hooked(processes: Iterable[Process], flights: Mapping[int, Flight]) -> frozenset[int]:
    """Name the processes with a probe: those with a record, and forks of them without an event."""
    argv = {p.pid: p.argv for p in processes}
    forks = (p.pid for p in processes if p.parent in flights and argv.get(p.parent) == p.argv)
    return frozenset(flights) | frozenset(forks)


def record_gaps(flights: Iterable[Flight]) -> tuple[Gap, ...]:
    """Say what the probes could not record."""
    gaps = []
    for flight in flights:
        gaps += [
            Gap(what=f"flight record of process {flight.pid}", why=note) for note in flight.notes
        ]
        if flight.lost:
            gaps.append(
                Gap(
                    what=f"flight record of process {flight.pid}",
                    why=f"{flight.lost} events were overwritten",
                )
            )
    return tuple(gaps)


def unrecorded_gap(count: int) -> tuple[Facts, ...]:
    """Say that processes have no flight record, if there are any."""
    if not count:
        return ()
    why = "the budget of this run for flight records was spent"
    return (Facts(gaps=(Gap(what=f"flight records of {count} processes", why=why),)),)


def _rows(
    parts: tuple[Facts, ...],
    table: Callable[[Facts], tuple[Row, ...]],
    key: Callable[[Row], Hashable],
) -> tuple[Row, ...]:
    rows: dict[Hashable, Row] = {}
    for part in parts:
        for row in table(part):
            name = key(row)
            rows[name] = _over(rows[name], row) if name in rows else row
    return tuple(rows.values())


def _over(old: Row, new: Row) -> Row:
    """Lay the fields that `new` really says over `old`."""
    said = {
        f.name: value
        for f in msgspec.structs.fields(new)
        if (value := getattr(new, f.name)) != f.default or f.required
    }
    return msgspec.structs.replace(old, **said)
