"""Glimpse at the stacks of a tree: no locals, no native frames, nothing is stopped.

Cheap enough to be taken now and then of a program that is well: it is how the phases of a start are
seen below Python 3.12. A stack that changes while it is read comes out torn and is read again.
"""

from collections.abc import Iterator

from hangbisect.host._protocol import Question
from hangbisect.host.pythons import pythons
from hangbisect.model import Facts, Thread
from hangbisect.watch import stacks_pystack
from hangbisect.watch.milestones import is_whole
from hangbisect.watch.stack_error import StackError

_TRIES = 4


def glimpse(question: Question) -> Iterator[Facts]:
    """Yield the whole stacks of each Python process; the next glimpse may see more."""
    for pid in pythons(question):
        yield Facts(threads=_whole(pid))


def _whole(pid: int) -> tuple[Thread, ...]:
    for _ in range(_TRIES):
        try:
            threads = stacks_pystack.read(pid, native=False, with_locals=False)
        except StackError:
            return ()
        whole = tuple(thread for thread in threads if is_whole(thread))
        if any(thread.tid == pid for thread in whole):
            return whole
    return ()
