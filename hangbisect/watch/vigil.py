"""The watch of one process among others below a command: same clocks and looks, fewer verdicts."""

import sys
import time
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from hangbisect import waits
from hangbisect.model import Event, Sample, Snapshot
from hangbisect.waits import Reading
from hangbisect.watch.clocks import Clocks
from hangbisect.watch.log import Log
from hangbisect.watch.run import Watch
from hangbisect.watch.scene import Scene
from hangbisect.watch.sharing import Share
from hangbisect.watch.status import StatusLine
from hangbisect.watch.watched import OnHang

May = Callable[[int, Snapshot, Reading], bool]
"""Whether an incident of a process may be told, given what was seen and what it means."""


class Vigil(Watch):
    """State over the time of one process."""

    def __init__(
        self,
        scene: Scene,
        share: Share,
        *,
        patience: float,
        on_hang: OnHang,
        may: May,
        tell: Callable[[Snapshot], None],
    ) -> None:
        """Watch the process that `scene` is about; `tell` is given the facts of an incident."""
        super().__init__(
            share,
            share,
            scene,
            Clocks(time.monotonic(), notice=5.0, patience=patience),
            on_hang=on_hang,
            log=Log(None, None, lambda text: None),
            status=StatusLine(sys.stderr, wanted=False),
            tell=tell,
        )
        self.share = share
        self.suspects: frozenset[int] = frozenset()
        """Processes below it whose main threads are dead while its own is not."""
        self._may = may
        self.turned = time.monotonic()
        """When its last turn was."""

    @property
    def quiet_since(self) -> float:
        """When progress was seen last, in seconds on CLOCK_MONOTONIC."""
        return self._clocks.quiet_since

    def take_turn(self, events: Iterable[Event], sample: Sample | None, expected: float) -> None:
        """Take in what is new, and do what is due, `expected` seconds after the last time."""
        self.share.give(events, sample)
        self.turned = time.monotonic()
        self.turn((), expected)

    def give_up(self) -> None:
        """Tell of a stall that lasts, since a person has given up on it."""
        stall = self._stall(time.monotonic())
        if stall is not None and not self._said:
            self._verdict(replace(stall, occasion="interrupted"), end=False)

    def _look_for_the_dead(self, now: float) -> None:
        super()._look_for_the_dead(now)
        self.suspects = dead_below(self._latest) if self._latest else frozenset()

    def _verdict(self, snapshot: Snapshot, *, end: bool) -> None:
        self._said = True
        reading = waits.read(snapshot)
        if self._may(snapshot.root, snapshot, reading):
            super()._verdict(snapshot, end=end)


def dead_below(snapshot: Snapshot) -> frozenset[int]:
    """Name the Python processes below the root that are dead by liveness, unless the root is."""
    reading = waits.read(snapshot)
    if reading.hung:
        return frozenset()
    return frozenset(
        ref.pid
        for ref in reading.dead
        if ref.pid == ref.tid != snapshot.root and _is_python(reading, ref.pid)
    )


def _is_python(reading: Reading, pid: int) -> bool:
    row = reading.index.process(pid)
    return row is not None and bool(row.python or row.hooked)
