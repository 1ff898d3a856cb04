"""Does a running thread come to new machine states, or to the same ones again and again?

Its registers, and the memory that they point to, are read some hundred times, a few milliseconds
apart. A computation hardly ever has the same state twice; a loop that waits for a flag has only a
few. The thread is stopped only while it runs: a call that would return EINTR is not disturbed.
"""

import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence

from hangbisect.host._protocol import Question
from hangbisect.host.maps import Maps, parse_maps
from hangbisect.host.memory import memory_of
from hangbisect.host.proc import Proc
from hangbisect.host.ptrace import TraceError, go_on, halt, seize
from hangbisect.host.registers import areas_of, read_registers
from hangbisect.host.rights import refusal, traced
from hangbisect.host.stat import parse_stat
from hangbisect.host.surroundings import behind
from hangbisect.model import Facts, Gap, Repeat, State

SAMPLES = 250
LONGEST = 3.0
"""Seconds to look at one thread."""
_IN_ALL = 6.0
"""Seconds to look at all threads."""
_APART = (0.003, 0.005)
"""Seconds between two samples, drawn anew each time: no loop shall keep step with us."""
_RUN = 1_000_000
"""Nanoseconds on a processor after which a state counts: one that got none is where it was."""
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
    for pid, tid in question.threads:
        what = f"machine states of thread {tid} of process {pid}"
        refused = traced(pid, tid, what) or _unfit(pid, tid, what)
        if refused is not None:
            yield Facts(gaps=(refused,))
            continue
        try:
            seen = _sample(pid, tid, min(time.monotonic() + LONGEST, end))
        except (TraceError, PermissionError) as error:
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


def _unfit(pid: int, tid: int, what: str) -> Gap | None:
    if not areas_of(platform.machine()):
        return Gap(what=what, why=f"the registers of {platform.machine()} are not known")
    if _state(pid, tid) != "R":
        return Gap(what=what, why="it does not run")
    return None


def _state(pid: int, tid: int) -> State:
    stat = parse_stat(_PROC.peek(f"{pid}/task/{tid}/stat"))
    return stat.state if stat is not None else "X"


def _sample(pid: int, tid: int, deadline: float) -> tuple[bytes, ...]:
    maps = Maps(mappings=parse_maps(_PROC.peek(f"{pid}/task/{tid}/maps")))
    with memory_of(_PROC, pid, tid) as read:
        series = _Series(f"{pid}/task/{tid}", tid, lambda words: behind(words, maps, read))
        seize(tid, lambda: _repeat(pid, tid, deadline, series))
    return tuple(series.states)


class _Series:
    """The states of one thread that were seen, each after it had run for a while."""

    def __init__(self, folder: str, tid: int, surroundings: Callable[[bytes], bytes]) -> None:
        self.states: list[bytes] = []
        self._folder, self._tid = folder, tid
        self._surroundings = surroundings
        self._areas = areas_of(platform.machine())
        self._ran = 0

    def take(self) -> None:
        """Take the state of the thread, which stands still, if it has run since the last time."""
        ran = int((_PROC.peek(f"{self._folder}/schedstat").split() or ["0"])[0])
        if ran - self._ran >= _RUN:
            registers = read_registers(self._tid, self._areas)
            self.states.append(b"".join((*registers, self._surroundings(registers[0]))))
        self._ran = ran


def _repeat(pid: int, tid: int, deadline: float, series: _Series) -> None:
    """Stop the thread again and again while it runs, and take its state each time."""
    sleeps = 0
    while len(series.states) < SAMPLES and sleeps <= _SLEEPS and time.monotonic() < deadline:
        if _state(pid, tid) not in "Rt":  # t: a signal came, and waits for us to hand it on
            sleeps += 1
        elif halt(tid, deadline):
            series.take()
            go_on(tid)
        else:
            return
        time.sleep(random.uniform(*_APART))
