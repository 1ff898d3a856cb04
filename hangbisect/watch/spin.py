"""Whether a target that burns CPU goes round in a circle.

A spin shows the same few Python stacks with the same values all the time, and either the machine
states of its thread come again and again, or it is one call of the regular expression engine.
"""

from hangbisect.host import Question
from hangbisect.model import Facts, Snapshot, Thread
from hangbisect.waits import is_in_regex_engine, is_spin
from hangbisect.watch.climb import Looks

PAUSE = 2.0
"""Seconds between two looks at the Python stack."""


CIRCLE = 8
"""More different stacks than this are no circle."""


class Spin:
    """Keep the digests of the main thread's Python stack while CPU is all that moves."""

    def __init__(self, look: Looks) -> None:
        """Look at stacks with `look`, stopping nothing."""
        self._look = look
        self._seen: set[str] = set()
        self._next = 0.0

    def forget(self) -> None:
        """Begin again: something moved."""
        self._seen.clear()

    def changed(self, question: Question, now: float) -> bool:
        """Look now and then; tell whether a stack came that was never there before.

        A loop of a few lines shows a few stacks in turn, real work new values all the time. The
        first stacks only make the circle known.
        """
        if now < self._next:
            return False
        self._next = now + PAUSE
        digest = self._read(question)
        is_new = digest is not None and digest not in self._seen
        if digest is not None:
            self._seen.add(digest)
        return is_new and len(self._seen) > CIRCLE

    def is_spin(self, snapshot: Snapshot) -> bool:
        """Judge the facts at the end of patience: the main thread and all else that runs spin."""
        running = [t for t in snapshot.threads if t.state == "R" and _is_inside(t, snapshot)]
        main = next((t for t in running if t.pid == t.tid == snapshot.root), None)
        if main is None or main.digest not in self._seen:
            return False
        return all(_spins(thread, snapshot) for thread in running)

    def _read(self, question: Question) -> str | None:
        parts = [p for p in self._look("stacks", question).parts if isinstance(p, Facts)]
        threads = [t for part in parts for t in part.threads]
        return next((t.digest for t in threads if t.pid == t.tid == question.root), None)


def _spins(thread: Thread, snapshot: Snapshot) -> bool:
    repeats = [r for r in snapshot.repeats if (r.pid, r.tid) == (thread.pid, thread.tid)]
    return is_in_regex_engine(thread) or any(is_spin(repeat) for repeat in repeats)


def _is_inside(thread: Thread, snapshot: Snapshot) -> bool:
    return any(p.pid == thread.pid and p.inside for p in snapshot.processes)
