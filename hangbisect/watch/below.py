"""Follow a command and judge each Python program below it by itself: what `exec` does.

One watch a program, on counters and events that are taken once for all. The command goes on.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hangbisect.host import Question, this_host
from hangbisect.model import Facts, Process, Sample, Snapshot
from hangbisect.record import Record
from hangbisect.watch import family
from hangbisect.watch.clocks import JUMP
from hangbisect.watch.front import Keeper
from hangbisect.watch.happenings import Exited, Happening, Interrupted
from hangbisect.watch.launch import Launch, probe_environment, record_folder
from hangbisect.watch.merge import merge, with_steps
from hangbisect.watch.once import Once
from hangbisect.watch.roll import Roll
from hangbisect.watch.scene import Scene
from hangbisect.watch.sharing import Share
from hangbisect.watch.steps import step_of
from hangbisect.watch.supervise import INJECT
from hangbisect.watch.unwatched import outlasted
from hangbisect.watch.vigil import Vigil
from hangbisect.watch.watched import OnHang

TURN = 0.5
"""Seconds between two rounds: of the roll, of counters, and of all watches."""


class ExecRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to start, and how to judge the programs below it. Durations are seconds."""

    argv: tuple[str, ...]
    cwd: str = ""
    environment: Mapping[str, str] = msgspec.field(default_factory=lambda: dict(os.environ))
    patience: float = 300.0
    on_hang: OnHang = "keep"


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the command."""

    wait_status: int | None
    folder: Path
    """Where the flight records are."""


def follow(request: ExecRequest, tool: str, tell: Callable[[Snapshot], None]) -> Followed:
    """Run a command to its end, telling the facts of each incident below it.

    Raises:
        TargetError: it could not be started.
        OutputError: there is no place for the flight records.
    """
    keeper = Keeper()
    folder = record_folder(request.environment)
    try:
        environment = probe_environment(request.environment, folder, INJECT)
        launch = Launch(
            argv=request.argv, environment=environment, cwd=request.cwd, folder=str(folder)
        )
        pid = keeper.start(launch)
        question = Question(
            root=pid,
            leave_out=(os.getpid(), keeper.pid),
            began=keeper.began,
            inherited=keeper.inherited,
        )
        with outlasted(keeper):
            status = _Round(request, keeper, Record(folder), question, tool, tell).go()
            return Followed(wait_status=status, folder=folder)
    finally:
        keeper.close()


class _Round:
    """State over the time of one command."""

    def __init__(
        self,
        request: ExecRequest,
        keeper: Keeper,
        record: Record,
        question: Question,
        tool: str,
        tell: Callable[[Snapshot], None],
    ) -> None:
        self._request = request
        self._keeper = keeper
        self._record = record
        self._root = question.root
        self._tool = tool
        self._tell = tell
        self._roll = Roll(keeper, record, question)
        self._once = Once(self._roll)
        self._vigils: dict[tuple[int, int], Vigil] = {}
        self._gave_up = False
        self._status: int | None = None
        self._over = False

    def go(self) -> int | None:
        """Go on until the command has ended; return its wait status."""
        while not self._over:
            began = time.monotonic()
            for happening in self._keeper.wait(TURN):
                self._happened(happening)
            late = time.monotonic() - began - TURN
            if not self._over:
                self._turn(stopped=late if late > JUMP else 0.0)
        return self._status

    def _happened(self, happening: Happening) -> None:
        match happening:
            case Exited() if happening.pid == self._root:
                self._status = happening.status
                self._over = True
            case Interrupted() if not self._gave_up:
                self._gave_up = True
                for vigil in tuple(self._vigils.values()):
                    vigil.give_up()
            case _:
                pass

    def _turn(self, *, stopped: float) -> None:
        """Do what is due; `stopped` are the seconds for which we were stopped ourselves."""
        self._roll.call()
        events = self._record.poll()
        self._enlist()
        if not self._vigils:
            return
        sample = self._sample()
        for vigil in self._in_order():
            vigil.take_turn(events, sample, time.monotonic() - vigil.turned - stopped)

    def _in_order(self) -> tuple[Vigil, ...]:
        """Ask the deepest first, and of fellows the one that stood still first."""
        depth = {pid: at for at, pid in enumerate(family.units(self._roll.beings))}
        names = sorted(
            self._vigils,
            key=lambda n: (depth.get(n[0], len(depth)), self._vigils[n].quiet_since),
        )
        return tuple(self._vigils[name] for name in names)

    def _sample(self) -> Sample | None:
        parts = self._keeper.look("sample", self._roll.question).parts
        return next((part for part in parts if isinstance(part, Sample)), None)

    def _enlist(self) -> None:
        """Begin the watch of what is new, end that of what is gone, and say who is below whom."""
        beings = self._roll.beings
        suspects = {pid for vigil in self._vigils.values() for pid in vigil.suspects}
        wanted = [pid for pid in (*family.units(beings), *sorted(suspects)) if pid in beings]
        names = {(pid, beings[pid].began): None for pid in wanted}
        kept = {name: v for name, v in self._vigils.items() if name in names}
        self._vigils = {name: kept.get(name) or self._vigil(name[0]) for name in names}
        parents = {flight.pid: flight.parent for flight in self._record.flights()}
        for (pid, _), vigil in self._vigils.items():
            own = family.tree(pid, beings)
            gone = {p for p, parent in parents.items() if parent in own and p not in beings}
            vigil.share.pids = own | gone

    def _vigil(self, pid: int) -> Vigil:
        return Vigil(
            self._scene(pid),
            Share(pid, self._keeper, self._record),
            patience=self._request.patience,
            on_hang=self._request.on_hang,
            may=self._once.may,
            tell=self._incident,
        )

    def _scene(self, pid: int) -> Scene:
        flight = next((f for f in self._record.flights() if f.pid == pid), None)
        now = time.monotonic()
        began = min(flight.began, now) if flight else now
        whole = self._roll.question
        return Scene(
            question=Question(
                root=pid, leave_out=whole.leave_out, began=began, inherited=whole.inherited
            ),
            system=this_host().system(),
            tool=self._tool,
            wall=time.time() - (now - began),
            cwd=(flight.cwd if flight else "") or _link(pid, "cwd"),
            argv=flight.argv if flight else (),
            interpreter=_link(pid, "exe"),
            interpreter_reason="chosen by what started it",
            environment=flight.environment if flight else (),
        )

    def _incident(self, snapshot: Snapshot) -> None:
        self._tell(with_others(snapshot, self._everybody(snapshot)))

    def _everybody(self, snapshot: Snapshot) -> tuple[Process, ...]:
        """Describe all processes below the command, as far as they can be seen at once."""
        parts = self._keeper.look("facts", self._roll.question).parts
        rows = merge(part for part in parts if isinstance(part, Facts)).processes
        flights = {flight.pid: flight for flight in self._record.flights()}
        zero = time.monotonic() - snapshot.taken
        steps = {
            row.pid: step_of(row.pid, flights[row.pid], (), row.pid, {}, zero)
            for row in rows
            if row.pid in flights
        }
        return tuple(row for row in with_steps(rows, flights, steps, {}) if row.inside)


def with_others(snapshot: Snapshot, everybody: Iterable[Process]) -> Snapshot:
    """List the other processes of the tree, and name each by its role in the whole. Pure."""
    known = {row.pid: row for row in everybody}
    mine = {row.pid for row in snapshot.processes if row.inside}

    def named(row: Process) -> Process:
        whole = known.get(row.pid)
        if whole is None or not row.inside:
            return row
        plain = whole.role if whole.role not in ("trainer", "helper") or not row.role else ""
        return replace(row, role=plain or row.role, why_not_hooked=whole.why_not_hooked)

    return replace(
        snapshot,
        processes=tuple(named(row) for row in snapshot.processes),
        around=tuple(row for row in known.values() if row.pid not in mine),
    )


def _link(pid: int, name: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/{name}")
    except OSError:
        return ""
