"""The roll of the processes below a command: who is there, which are Python, and how they began."""

import os
import time

from hangbisect.host import Question
from hangbisect.host.rows import python_version
from hangbisect.model import Facts, Flight, Process
from hangbisect.watch import census
from hangbisect.watch.census import Member
from hangbisect.watch.family import Being, Beings
from hangbisect.watch.front import Keeper
from hangbisect.watch.merge import merge
from hangbisect.watch.roles import rank
from hangbisect.watch.sharing import Records

SETTLED = 1.0
"""Seconds after which a process that is new is looked at from outside, once."""
Name = tuple[int, int, int]
"""Pid, start, and where its arguments lie: exec changes the last."""


class Roll:
    """Keep what is known of each process."""

    def __init__(self, keeper: Keeper, record: Records, question: Question) -> None:
        """Call the roll of what `keeper` started."""
        self._keeper = keeper
        self._record = record
        self._question = question
        self._rows: dict[Name, Process] = {}
        self._seen: dict[Name, float] = {}
        self.beings: Beings = {}

    @property
    def question(self) -> Question:
        """Ask about the whole tree, with those whose parent is gone."""
        root = self._question.root
        extra = tuple(
            p for p, b in self.beings.items() if p != root and b.parent not in self.beings
        )
        return Question(
            root=root,
            extra=extra,
            leave_out=self._question.leave_out,
            began=self._question.began,
            inherited=self._question.inherited,
        )

    def call(self) -> None:
        """See who is there now."""
        found = (census.member(pid) for pid in self._keeper.census())
        members = [member for member in found if member is not None and not member.gone]
        names = {member.pid: _name(member) for member in members}
        flights = {flight.pid: flight for flight in self._record.flights()}
        self._settle(set(names.values()))
        self.beings = {m.pid: self._being(m, names[m.pid], flights.get(m.pid)) for m in members}

    def _settle(self, names: set[Name]) -> None:
        now = time.monotonic()
        self._seen = {name: self._seen.get(name, now) for name in names}
        self._rows = {name: row for name, row in self._rows.items() if name in names}
        if any(now - self._seen[name] >= SETTLED for name in names - self._rows.keys()):
            self._look(names)

    def _look(self, names: set[Name]) -> None:
        parts = self._keeper.look("facts", self.question).parts
        rows = {row.pid: row for row in merge(p for p in parts if isinstance(p, Facts)).processes}
        for name in names - self._rows.keys():
            unknown = Process(pid=name[0], parent=0)  # asked for once: it may be gone or hidden
            self._rows[name] = rows.get(name[0], unknown)

    def _being(self, member: Member, name: Name, flight: Flight | None) -> Being:
        row = self._rows.get(name)
        variables = {
            **dict(row.variables if row else ()),
            **dict(flight.environment if flight else ()),
        }
        return Being(
            pid=member.pid,
            began=member.began,
            parent=member.parent,
            python=bool(row.python) if row and row.executable else _is_python(member.pid),
            argv=(row.argv if row else ()) or (flight.argv if flight else ()),
            arguments_at=name[2],
            rank=rank(variables),
        )


def _is_python(pid: int) -> bool:
    try:
        return bool(python_version((os.readlink(f"/proc/{pid}/exe"),)))
    except OSError:  # it is gone, or another user's
        return False


def _name(member: Member) -> Name:
    return member.pid, member.began, arguments_at(member.pid)


def arguments_at(pid: int) -> int:
    """Return where a process's arguments begin in its memory (proc_pid_stat(5)); 0: not known."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0
    return int(fields[45]) if len(fields) > 45 else 0
