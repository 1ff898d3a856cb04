"""What a watch needs of a keeper and of a record; and the share of them that one process gets.

Several processes below one command have a watch each: the record is polled and counters are taken
once for all of them, and each watch is given what belongs to its own part of the tree.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from hangbisect.host import Question
from hangbisect.model import Event, Flight, Sample
from hangbisect.watch import census, ending
from hangbisect.watch.ending import Ended
from hangbisect.watch.happenings import Happening
from hangbisect.watch.ladder import Name
from hangbisect.watch.looker import Looked, Pending


class Keeping(Protocol):
    """What a watch asks of the keeper."""

    def look(self, name: Name, question: Question) -> Looked:
        """Look, and wait for the answer."""

    def look_soon(self, name: Name, question: Question) -> Pending | Looked:
        """Begin a look."""

    def wait(self, timeout: float) -> tuple[Happening, ...]:
        """Return what happened."""

    def end(self) -> Ended:
        """End what is watched."""


class Records(Protocol):
    """What a watch asks of a flight record."""

    def poll(self) -> tuple[Event, ...]:
        """Give the events that are new."""

    def flights(self) -> tuple[Flight, ...]:
        """Give what each process has in progress."""

    def unrecorded(self) -> int:
        """Count the processes without a record."""

    def tail(self, zero: float) -> tuple[Event, ...]:
        """Give the last events."""


class Share:
    """A keeper and a record, as far as one process and those below it are concerned."""

    def __init__(self, pid: int, keeper: Keeping, record: Records) -> None:
        """Share what `keeper` sees and `record` holds of this process."""
        self._pid = pid
        self._keeper = keeper
        self._record = record
        self._events: list[Event] = []
        self._sample: Sample | None = None
        self.pids = frozenset({pid})
        """The process and those below it."""

    def give(self, events: Iterable[Event], sample: Sample | None) -> None:
        """Hand over what was taken for all; the counters serve the next question alone."""
        self._events += (event for event in events if event.pid in self.pids)
        self._sample = part_of(sample, self.pids) if sample else None

    def look(self, name: Name, question: Question) -> Looked:
        """Look; counters that were just taken for all are not taken again."""
        sample, self._sample = self._sample, None
        if name == "sample" and sample is not None:
            return Looked(parts=(sample,))
        return self._keeper.look(name, question)

    def look_soon(self, name: Name, question: Question) -> Pending | Looked:
        """Begin a look."""
        return self._keeper.look_soon(name, question)

    def wait(self, timeout: float) -> tuple[Happening, ...]:
        """Return nothing: who shares the keeper is told."""
        return ()

    def end(self) -> Ended:
        """End the process and those below it, and nothing above."""
        return ending.end(below(self._pid))

    def poll(self) -> tuple[Event, ...]:
        """Give the events of this part that came since the last time."""
        events, self._events = self._events, []
        return tuple(events)

    def flights(self) -> tuple[Flight, ...]:
        """Give the flights of this part."""
        return tuple(flight for flight in self._record.flights() if flight.pid in self.pids)

    def unrecorded(self) -> int:
        """Count the processes without a record: nobody knows below whom they are."""
        return self._record.unrecorded()

    def tail(self, zero: float) -> tuple[Event, ...]:
        """Give the last events of this part."""
        return tuple(event for event in self._record.tail(zero) if event.pid in self.pids)


def below(pid: int) -> Callable[[], tuple[census.Member, ...]]:
    """Return a census of a process and all below it; those that lose their parent stay in it."""
    first = census.member(pid)
    known = {} if first is None else {pid: first.began}

    def taken() -> tuple[census.Member, ...]:
        table = census.everyone()
        roots = [member.pid for member in table if known.get(member.pid) == member.began]
        members = census.descendants(table, roots)
        known.update({member.pid: member.began for member in members})
        return members

    return taken


def part_of(sample: Sample, pids: frozenset[int]) -> Sample:
    """Return the counters of these processes."""
    return Sample(
        time=sample.time,
        processes=tuple(row for row in sample.processes if row.pid in pids),
        threads=tuple(row for row in sample.threads if row.pid in pids),
    )
