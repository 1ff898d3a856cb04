"""Does a running thread come to new machine states, or to the same ones again and again?

Its registers are read some hundred times, a few milliseconds apart. A computation hardly ever has
the same ones twice; a loop that waits for a flag has no others. The thread is stopped only while it
runs: a call that would return EINTR is not disturbed.
"""

import platform
import random
import time
from collections.abc import Iterator, Sequence

from hangbisect.host._protocol import Question
from hangbisect.host.proc import Proc
from hangbisect.host.ptrace import TraceError, go_on, halt, seize
from hangbisect.host.registers import Area, areas_of, read_state
from hangbisect.host.rights import refusal, traced
from hangbisect.host.stat import parse_stat
from hangbisect.model import Facts, Gap, Repeat

SAMPLES = 250
LONGEST = 3.0
"""Seconds to look at one thread."""
_IN_ALL = 6.0
"""Seconds to look at all threads."""
_APART = (0.003, 0.005)
"""Seconds between two samples, drawn anew each time: no loop shall keep step with us."""
_SLEEPS = 5
"""How often the thread may be found asleep: one that sleeps more does not spin, and is let go."""
_PROC = Proc()


def states(question: Question) -> Iterator[Facts]:
    """Take machine states of each thread of `question.threads`, for three seconds at most.

    Yields:
        Per thread how many states were seen and how many of them late; or a Gap that says why the
        thread was not looked at.
    """
    end = time.monotonic() + _IN_ALL
    areas = areas_of(platform.machine())
    for pid, tid in question.threads:
        what = f"machine states of thread {tid} of process {pid}"
        refused = traced(pid, tid, what) or _unfit(pid, tid, what, areas)
        if refused is not None:
            yield Facts(gaps=(refused,))
            continue
        try:
            seen = _sample(pid, tid, areas, min(time.monotonic() + LONGEST, end))
        except TraceError as error:
            yield Facts(gaps=(refusal(pid, what, str(error)),))
            continue
        yield Facts(repeats=(count(pid, tid, seen),))


def count(pid: int, tid: int, seen: Sequence[bytes]) -> Repeat:
    """Count the distinct states, and those that the second half brought."""
    distinct = set(seen)
    early = set(seen[: len(seen) // 2])
    return Repeat(
        pid=pid,
        tid=tid,
        samples=len(seen),
        states=len(distinct),
        fresh=len(distinct - early),
    )


def _unfit(pid: int, tid: int, what: str, areas: tuple[Area, ...]) -> Gap | None:
    if not areas:
        return Gap(what=what, why=f"the registers of {platform.machine()} are not known")
    if not _runs(pid, tid):
        return Gap(what=what, why="it does not run")
    return None


def _runs(pid: int, tid: int) -> bool:
    stat = parse_stat(_PROC.peek(f"{pid}/task/{tid}/stat"))
    return stat is not None and stat.state == "R"


def _sample(pid: int, tid: int, areas: tuple[Area, ...], deadline: float) -> list[bytes]:
    seen: list[bytes] = []

    def gather() -> None:
        sleeps = 0
        while len(seen) < SAMPLES and sleeps <= _SLEEPS and time.monotonic() < deadline:
            if not _runs(pid, tid):
                sleeps += 1
            elif not halt(tid, deadline):
                return
            else:
                seen.append(read_state(tid, areas))
                go_on(tid)
            time.sleep(random.uniform(*_APART))

    seize(tid, gather)
    return seen
