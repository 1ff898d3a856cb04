"""Whether a target that burns CPU goes round in a circle.

A spin shows the same Python stack with the same values all the time, and either the machine states
of its thread come again and again, or it is one call of the regular expression engine.
"""

from hangbisect.host import Question
from hangbisect.model import Facts, Snapshot
from hangbisect.waits import is_in_regex_engine, is_spin
from hangbisect.watch.climb import Looks

PAUSE = 2.0
"""Seconds between two looks at the Python stack."""


class Spin:
    """Keep the digest of the main thread's Python stack while CPU is all that moves."""

    def __init__(self, look: Looks) -> None:
        """Look at stacks with `look`, stopping nothing."""
        self._look = look
        self._digest: str | None = None
        self._next = 0.0

    def forget(self) -> None:
        """Begin again: something moved."""
        self._digest = None

    def changed(self, question: Question, now: float) -> bool:
        """Look now and then; tell whether the stack or a value in it changed since."""
        if now < self._next:
            return False
        self._next = now + PAUSE
        digest = self._read(question)
        before, self._digest = self._digest, digest
        return before is not None and digest is not None and digest != before

    def is_spin(self, snapshot: Snapshot) -> bool:
        """Judge the facts that were collected at the end of patience."""
        main = next((t for t in snapshot.threads if t.pid == t.tid == snapshot.root), None)
        if main is None or main.digest is None or main.digest != self._digest:
            return False
        repeats = [r for r in snapshot.repeats if (r.pid, r.tid) == (main.pid, main.tid)]
        return is_in_regex_engine(main) or any(is_spin(repeat) for repeat in repeats)

    def _read(self, question: Question) -> str | None:
        parts = [p for p in self._look("stacks", question).parts if isinstance(p, Facts)]
        threads = [t for part in parts for t in part.threads]
        return next((t.digest for t in threads if t.pid == t.tid == question.root), None)
