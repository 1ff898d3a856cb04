import pytest

from hangbisect.model import Thread
from hangbisect.watch.stacks_pystack import at_home

IDLE, HOLDER = Thread(pid=9, tid=1), Thread(pid=9, tid=2, gil="holds")

CASES = {
    "its own": ((IDLE, HOLDER), {1, 2, 3}, (IDLE, HOLDER)),
    "one that has ended meanwhile": ((IDLE, HOLDER), {1, 3}, (IDLE,)),
    "a vfork child of one thread": ((IDLE,), {9}, (Thread(pid=9, tid=9),)),
    "a vfork child of many": ((IDLE, HOLDER), {9}, (Thread(pid=9, tid=9, gil="holds"),)),
    "a child whose thread nobody can tell": ((IDLE, Thread(pid=9, tid=3)), {9}, ()),
    "several unknown threads": ((IDLE,), {8, 9}, ()),
}


@pytest.mark.parametrize(("threads", "own", "expected"), CASES.values(), ids=CASES)
def test_only_threads_that_the_process_has_are_told(
    threads: tuple[Thread, ...], own: set[int], expected: tuple[Thread, ...]
) -> None:
    assert at_home(threads, frozenset(own)) == expected
