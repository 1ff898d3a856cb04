"""Glimpse at the stacks of a tree: no locals, no native frames, nothing is stopped.

Cheap enough to be taken now and then of a program that is well: it is how the phases of a start are
seen below Python 3.12.
"""

from collections.abc import Iterator

from hangbisect.host._protocol import Question
from hangbisect.host.pythons import pythons
from hangbisect.model import Facts
from hangbisect.watch import stacks_pystack
from hangbisect.watch.stack_error import StackError


def glimpse(question: Question) -> Iterator[Facts]:
    """Yield the stacks of each Python process that can be read; the next glimpse may see more."""
    for pid in pythons(question):
        try:
            threads = stacks_pystack.read(pid, native=False, with_locals=False)
        except StackError:
            continue
        yield Facts(threads=threads)
