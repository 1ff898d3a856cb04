"""Looks from the asker's side: what came until the deadline is kept, and what did not is a gap."""

import os
import time
from collections.abc import Callable

from hangbisect.host._protocol import Question
from hangbisect.model import Facts, Gap, Sample
from hangbisect.model._struct import Data
from hangbisect.watch.helpers import Helpers
from hangbisect.watch.ladder import BY_NAME, Name
from hangbisect.watch.ready import ready
from hangbisect.watch.signals import above_standard
from hangbisect.watch.wire import COMPLETE, Part, PartReader

_GRACE = 0.25
"""Seconds added to a deadline on the asker's side, so that the helper's own comes first."""
_CHUNK = 1 << 16


class Looked(Data, frozen=True, kw_only=True):
    """What a look brought home."""

    parts: tuple[Facts | Sample, ...] = ()
    gap: Gap | None = None
    """Set if the look did not come to its end: then `parts` is what came until then."""


class Pending:
    """A look that is going on: poll it."""

    def __init__(self, name: Name, fd: int) -> None:
        """Wait for what a helper writes to the pipe of which `fd` is the reading end."""
        self._fd = fd
        self._name = name
        self._deadline = time.monotonic() + BY_NAME[name].deadline + _GRACE
        self._reader = PartReader()
        self._parts: list[Facts | Sample] = []
        self._gap: Gap | None = None
        self._over = False

    def poll(self, timeout: float = 0.0) -> Looked | None:
        """Wait at most `timeout` seconds; None if the look goes on."""
        until = min(time.monotonic() + timeout, self._deadline)
        while not self._over:
            left = until - time.monotonic()
            if ready((self._fd,), max(0.0, left)):
                self._take(os.read(self._fd, _CHUNK))
            elif until == self._deadline:
                self._stop(self._late())
            elif left <= 0:
                return None
        return Looked(parts=tuple(self._parts), gap=self._gap)

    def _take(self, data: bytes) -> None:
        if not data:
            was_late = time.monotonic() >= self._deadline - _GRACE
            self._stop(self._late() if was_late else "the helper that looked was ended")
        for part in self._reader.feed(data):
            self._keep(part)

    def _late(self) -> str:
        return f"it was not done after {BY_NAME[self._name].deadline:g} s"

    def _keep(self, part: Part) -> None:
        if part == COMPLETE:
            self._stop("")
        elif part.gap is not None:
            self._gap = part.gap
        elif (piece := part.facts or part.sample) is not None:
            self._parts.append(piece)

    def _stop(self, why: str) -> None:
        if not self._over:
            self._over = True
            os.close(self._fd)
        if why:
            self._gap = Gap(what=f"the look {self._name!r}", why=why)


def begin(name: Name, start: Callable[[int], None]) -> Pending | Looked:
    """Begin a look: `start` is lent the end of a pipe to write the parts to."""
    reading, writing = (above_standard(fd) for fd in os.pipe())
    try:
        start(writing)
    except OSError as error:
        os.close(reading)
        gap = Gap(what=f"the look {name!r}", why=f"no helper could be had: {error.strerror}")
        return Looked(gap=gap)
    finally:
        os.close(writing)
    return Pending(name, reading)


class Looker:
    """Looks in helpers forked from this process: for a target that is not below a keeper."""

    def __init__(self) -> None:
        self._helpers = Helpers()

    @property
    def pids(self) -> frozenset[int]:
        """Helpers that have not been reaped."""
        return self._helpers.pids

    def look(self, name: Name, question: Question) -> Looked:
        """Look, and come back at the look's deadline with what was seen until then."""
        pending = begin(name, lambda out: self._helpers.begin(name, question, out))
        if isinstance(pending, Looked):
            return pending
        looked: Looked | None = None
        while looked is None:
            looked = pending.poll(1.0)
            self._helpers.kill_late()
        self._helpers.reap()
        return looked

    def close(self) -> None:
        """End the helpers that are left; one that no signal ends is left alone."""
        self._helpers.kill_all()
        self._helpers.wait(0.2)
