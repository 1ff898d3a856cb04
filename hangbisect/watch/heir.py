"""The front as the target's parent, after the keeper is gone."""

import os

from hangbisect.watch import census, child, ending
from hangbisect.watch.census import Member
from hangbisect.watch.looker import Looker
from hangbisect.watch.terminal import Continuer


class Heir:
    """Does by itself what the keeper did; looks are made in helpers of the front."""

    def __init__(self, target: Member | None, others: frozenset[int]) -> None:
        """Inherit the target.

        Args:
            target: The target.
            others: Children that this process had before: nothing to do with the target.
        """
        self._target = target
        self._others = others
        self.looker = Looker()
        self.continuer = Continuer()

    def note(self, tell: child.Tell) -> None:
        """Tell what became of the target, reap what came to us, mind the terminal."""
        if self._target is not None:
            child.note(self._target.pid, tell)
        for pid in self._adopted():
            child.reap(pid)
        self.continuer.mind(self.members)

    def end(self, bound: float, tell: child.Tell) -> ending.Ended:
        """End the target and all that belongs to it."""
        ended = ending.end(self.members, bound)
        self.note(tell)
        return ended

    def members(self) -> tuple[Member, ...]:
        """Return the target and all that belongs to it."""
        table = census.everyone()
        roots = [process.pid for process in table if self._is_target(process)]
        return census.descendants(table, (*roots, *self._adopted()))

    def _adopted(self) -> tuple[int, ...]:
        """Our children that lost their parent below the target."""
        ours = self._others | self.looker.pids
        if self._target is not None:
            ours |= {self._target.pid}
        return tuple(pid for pid in census.children(os.getpid()) if pid not in ours)

    def _is_target(self, process: Member) -> bool:
        target = self._target
        return target is not None and (process.pid, process.began) == (target.pid, target.began)
