"""Watch a target from its start to its end: the loop that drives looks, clocks and verdicts."""

import time
from collections.abc import Callable, Iterable

import msgspec

from hangbisect import waits
from hangbisect.model import Event, Snapshot, Step
from hangbisect.model.snapshot import Occasion
from hangbisect.watch.clocks import Clocks, Due
from hangbisect.watch.collect import collect
from hangbisect.watch.ending import Ended
from hangbisect.watch.endings import with_our_end
from hangbisect.watch.giving_up import GivingUp
from hangbisect.watch.happenings import Exited, Happening, Interrupted, KeeperLost, Signalled
from hangbisect.watch.judge import judge, prompts, sleeps_until
from hangbisect.watch.log import Log, log_line, note_line
from hangbisect.watch.movement import Movements
from hangbisect.watch.reached import Reached
from hangbisect.watch.scene import Scene
from hangbisect.watch.sharing import Keeping, Records
from hangbisect.watch.spin import Spin
from hangbisect.watch.status import SHOW_AFTER, Pulse, StatusLine, status_text
from hangbisect.watch.steps import known_step
from hangbisect.watch.wanting import wanted
from hangbisect.watch.watched import OnHang, Watched, ends

TICK = 0.25
"""Seconds between two glances at the flight record."""
SAMPLE_AFTER = 0.5
"""Seconds without events after which processes are looked at from outside."""
CONFIRM = 0.5
"""Seconds between the two looks that must agree before anything is called dead."""


class Watch:
    """State over the time of one run."""

    def __init__(
        self,
        keeper: Keeping,
        record: Records,
        scene: Scene,
        clocks: Clocks,
        *,
        on_hang: OnHang,
        log: Log,
        status: StatusLine,
        tell: Callable[[Snapshot], None],
    ) -> None:
        """Watch what `keeper` started; `tell` is given the facts of each verdict."""
        self._keeper = keeper
        self._record = record
        self._scene = scene
        self._clocks = clocks
        self._on_hang = on_hang
        self._log = log
        self._status = status
        self._tell = tell
        self._result = Watched()
        self._movements = Movements(record, keeper.look)
        self._spin = Spin(keeper.look)
        self._reached = Reached(record, keeper.look_soon, scene, self._write)
        self._latest: Snapshot | None = None
        self._suspect = False
        self._waits = ""
        self._giving_up = GivingUp()
        self._prompts = False
        self._said = False
        self._over = False

    def run(self) -> Watched:
        """Go on until the target has ended, or was ended."""
        while not self._over:
            self.turn(self._keeper.wait(TICK), TICK)
        self._status.clear()
        self._read_record(time.monotonic())
        self._result.phases = self._reached.phases_at_end
        return self._result

    def turn(self, happenings: Iterable[Happening], expected: float) -> None:
        """Do what is due; `expected` seconds should have passed since the last turn."""
        now = time.monotonic()
        self._clocks.tick(now, expected)
        for happening in happenings:  # before what the target did in answer to it
            self._happened(happening, now)
        self._read_record(now)
        if not self._over:
            self._look_around(now)

    def _read_record(self, now: float) -> None:
        if self._reached.training_has_begun:
            self._clocks.training_began(now)
        if self._movements.events(now) == "progress":
            self._progress(now)
        for event in self._movements.taken():
            self._reached.see(event)
            self._write(event)

    def _write(self, event: Event) -> None:
        if self._log.wanted:
            self._log.write(log_line(event, self._scene.question.began, self._scene.wall))

    def _progress(self, now: float) -> None:
        self._clocks.progress(now)
        self._movements.forget()
        self._forget()

    def _forget(self) -> None:
        self._spin.forget()
        self._quieten()

    def _quieten(self) -> None:
        self._status.clear()
        self._latest, self._suspect, self._waits = None, False, ""
        self._said = self._prompts = False
        self._giving_up.calm()

    def _happened(self, happening: Happening, now: float) -> None:
        match happening:
            case Exited() if happening.pid == self._scene.question.root:
                self._exited(happening, now)
            case Interrupted():
                self._interrupted(now)
            case Signalled():
                self._giving_up.ask(now, self._stall(now))
            case KeeperLost(gap=gap):
                self._scene = msgspec.structs.replace(self._scene, gaps=(*self._scene.gaps, gap))
            case _:
                pass

    def _stall(self, now: float) -> Snapshot | None:
        """Return what was seen last, if the target stands still for so long that it was noticed."""
        return self._latest if self._clocks.quiet(now) >= self._clocks.notice else None

    def _interrupted(self, now: float) -> None:
        if self._giving_up.ask_again(now, self._stall(now), self._clocks.quiet_since):
            self._movements.sample(self._scene.question, now, at_once=True)

    def _end_on_request(self, now: float) -> None:
        facts = self._giving_up.facts
        if self._giving_up.is_due(now) and facts is not None and not self._went_on():
            self._result.interrupted = True
            self._verdict(facts, end=True)

    def _exited(self, exited: Exited, now: float) -> None:
        self._result.wait_status = exited.status
        self._result.asked = self._giving_up.explains(now)
        self._over = True
        facts = self._giving_up.ended(exited)
        if facts is not None and self._result.asked:
            self._verdict(facts, end=False)

    def _look_around(self, now: float) -> None:
        self._end_on_request(now)
        if self._over:
            return
        self._reached.glimpse(self._scene.question, now)
        if self._clocks.quiet(now) >= SAMPLE_AFTER and self._clocks.may_sample(now):
            self._take_sample(now)
        for due in self._clocks.due(now):
            self._do(due, now)
            if self._over:
                return
        self._show(now)

    def _take_sample(self, now: float, *, at_once: bool = False) -> None:
        match self._movements.sample(self._scene.question, now, at_once=at_once):
            case "progress":
                self._clocks.progress(now)
                self._forget()
            case "burned":
                self._clocks.burned(now)
                self._quieten()
                if self._clocks.is_burning(now) and self._spin.changed(self._scene.question, now):
                    self._clocks.progress(now)
            case _:
                pass

    def _do(self, due: Due, now: float) -> None:
        match due:
            case Due.LOOK:
                self._look_for_the_dead(now)
            case Due.NOTICE:
                self._notice(now)
            case Due.PATIENCE:
                self._out_of_patience(now)
            case Due.SPIN:
                self._call_a_spin()
            case Due.COUNT:
                self._take_sample(now, at_once=True)
            case Due.WITHIN:
                self._tell_of(self._collect("within", thorough=False))  # it may hang yet

    def _look_for_the_dead(self, now: float) -> None:
        if self._said:
            self._clocks.looked(now)
            return
        snapshot = self._collect("dead", thorough=False)
        self._latest = snapshot
        reading = waits.read(snapshot)
        self._prompts = prompts(reading)
        if not (reading.hung and reading.alone):
            self._suspect = False
            self._clocks.looked(now)
        elif not self._suspect:
            self._suspect = True
            self._clocks.look_soon(now, CONFIRM)
        else:
            self._call_dead(self._collect("dead", thorough=True))
            self._clocks.looked(now)

    def _call_dead(self, snapshot: Snapshot) -> None:
        reading = waits.read(snapshot)
        if reading.hung and reading.alone and not self._went_on():
            self._verdict(snapshot, end=self._ends(proved=True))

    def _went_on(self, *, burning: bool = False) -> bool:
        """Tell whether the target moved while it was looked at: then nothing of it is true."""
        now = time.monotonic()
        moved = self._movements.went_on(self._scene.question, now, burning=burning)
        if moved:
            self._progress(now)
        return moved

    def _notice(self, now: float) -> None:
        snapshot = self._latest or self._collect("notice", thorough=False)
        self._latest = snapshot
        chain = waits.read(snapshot).chain
        self._waits = chain.links[-1].says if chain.links else ""
        words = f"no progress for {self._clocks.quiet(now):.0f} s"
        if step := self._step():
            words += f" at {step.file}:{step.line} {step.name}"
        self._log.write(note_line(f"{words} {self._waits}".rstrip(), time.time()))

    def _out_of_patience(self, now: float) -> None:
        snapshot = self._collect("patience", thorough=True)
        self._latest = snapshot
        reading = waits.read(snapshot)
        verdict, _ = judge(snapshot, reading)
        until = sleeps_until(snapshot, reading)
        if until is not None and not reading.hung:
            self._clocks.postpone(until + self._scene.question.began)
        elif verdict == "hung" and not self._went_on():
            self._verdict(snapshot, end=self._ends(proved=False))

    def _call_a_spin(self) -> None:
        """Nothing that Python can see has changed for the whole patience, while CPU was burned."""
        snapshot = self._collect("patience", thorough=True, spin=True)
        if self._spin.is_spin(snapshot) and not self._went_on(burning=True):
            self._latest = snapshot
            self._verdict(snapshot, end=self._ends(proved=False))

    def _verdict(self, snapshot: Snapshot, *, end: bool) -> None:
        """Say it, and end the tree where that was asked for."""
        self._status.clear()
        self._said = True
        self._tell_of(with_our_end(snapshot, self._end()) if end else snapshot)

    def _tell_of(self, snapshot: Snapshot) -> None:
        self._status.clear()
        self._result.snapshot = snapshot
        self._tell(snapshot)

    def _end(self) -> Ended:
        ended = self._keeper.end()
        self._result.ended = ended
        self._result.wait_status = ended.status
        self._over = True
        return ended

    def _collect(self, occasion: Occasion, *, thorough: bool, spin: bool = False) -> Snapshot:
        now, zero = time.monotonic(), self._scene.question.began
        known = (self._clocks, self._movements)
        want = wanted(occasion, now, zero, known, thorough=thorough, spin=spin)
        facts = collect(self._keeper.look, self._scene, self._record, want)
        return self._reached.read(facts, now)

    def _step(self) -> Step | None:
        question = self._scene.question
        return known_step(question.root, self._latest, self._record.flights, question.began)

    def _ends(self, *, proved: bool) -> bool:
        return ends(self._on_hang, proved=proved, training=self._clocks.is_training)

    def _show(self, now: float) -> None:
        quiet = self._clocks.quiet(now)
        if quiet < SHOW_AFTER or self._prompts or self._latest is None:
            return  # a person who is asked something must see the question
        pulse = Pulse(
            elapsed=now - self._scene.question.began,
            quiet=quiet,
            cpu=self._movements.cpu,
            traffic=self._movements.traffic,
        )
        phase = self._reached.words(self._scene.question.root)
        words = (self._waits, self._scene.note)
        self._status.show(status_text(self._step(), phase, pulse, words, self._status.width))
