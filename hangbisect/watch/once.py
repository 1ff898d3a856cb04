"""What may be told of the programs below a command: each incident once, of who is to blame."""

from typing import Protocol

from hangbisect.model import Snapshot
from hangbisect.waits import Reading
from hangbisect.watch import family
from hangbisect.watch.family import Beings
from hangbisect.watch.roles import launcher
from hangbisect.watch.serving import is_at_rest

Place = tuple[int, int, str, str, int]
"""Pid and start of a process, and the step it is at."""


class Crowd(Protocol):
    """Who is there now."""

    beings: Beings


class Once:
    """Remember what was told."""

    def __init__(self, crowd: Crowd) -> None:
        """Ask `crowd` who is there."""
        self._crowd = crowd
        self._told: set[Place] = set()
        self._units: dict[int, int] = {}
        """The units and workers that were told of, with their starts."""
        self._resting: dict[int, int] = {}
        """Those that stand still as they should, a board that is served beside a training."""

    def may(self, pid: int, snapshot: Snapshot, reading: Reading) -> bool:
        """Tell whether an incident of a process is to be told, and remember it if so."""
        if is_at_rest(snapshot, reading):
            self._resting[pid] = self._began(pid)
            return False
        place = self._place(reading)
        if place in self._told or not self._is_answer(pid, reading):
            return False
        self._told.add(place)
        self._units[pid] = self._began(pid)
        return True

    def _began(self, pid: int) -> int:
        being = self._crowd.beings.get(pid)
        return being.began if being else 0

    def _is_answer(self, pid: int, reading: Reading) -> bool:
        """Leave out who only waits for others that are judged by themselves.

        That is a launcher above its programs, a program above another one unless it is dead by
        itself, a worker that is not dead, a program that looks on while a worker of its own is
        dead, and a rank whose fellow was told of.
        """
        beings = self._crowd.beings
        being = beings.get(pid)
        unit = family.unit_of(pid, beings)
        if being is None or unit != pid:
            return reading.hung and reading.alone and not self._is_told(unit)
        below = family.nested(pid, beings)
        if launcher(being.argv) and below:
            return False
        if inner := [p for p in below if self._resting.get(p) != self._began(p)]:
            own = family.unit_of(reading.blamed.pid, beings) not in inner
            return reading.hung and own
        if reading.hung and reading.alone:
            return True
        return not self._fellow_is_told(pid) and not self._inner_is_told(pid)

    def _inner_is_told(self, pid: int) -> bool:
        beings = self._crowd.beings
        return any(
            pid in family.ancestors(told, beings) for told in self._units if self._is_told(told)
        )

    def _fellow_is_told(self, pid: int) -> bool:
        beings = self._crowd.beings
        if not beings[pid].rank:
            return False
        crew = family.crew(pid, beings)
        fellows = (p for p, b in beings.items() if b.rank and p != pid)
        return any(self._is_told(p) and family.crew(p, beings) == crew for p in fellows)

    def _is_told(self, pid: int) -> bool:
        return pid in self._crowd.beings and self._units.get(pid) == self._began(pid)

    def _place(self, reading: Reading) -> Place:
        pid = reading.blamed.pid
        row = reading.index.process(pid)
        step = row.step if row else None
        name, file, line = (step.name, step.file, step.line) if step else ("", "", 0)
        return pid, self._began(pid), name, file, line
