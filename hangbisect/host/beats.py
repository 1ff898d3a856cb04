"""What a polling thread polls between its sleeps, heard by listening to its system calls.

A beat goes from one timed sleep to the next. Passive looks come first: this one stops the thread
for moments, and so is done only while it sleeps in a call that the kernel restarts by itself.
"""

import platform
import sys
import time
from collections.abc import Iterator

from hangbisect.host._protocol import Question
from hangbisect.host.beat_calls import Named, asks_for_error, fold, is_restartable, named
from hangbisect.host.call_names import names_of
from hangbisect.host.line import parse_line
from hangbisect.host.maps import Read
from hangbisect.host.memory import memory_of
from hangbisect.host.proc import Proc
from hangbisect.host.ptrace import SystemCall, TraceError, listen
from hangbisect.host.rights import refusal, traced
from hangbisect.host.stat import parse_stat
from hangbisect.model import Facts, Gap

BEATS = 3
LONGEST = 3.0
"""Seconds to listen to one thread."""
_IN_ALL = 6.0
"""Seconds to listen to all threads."""
_CATCH = 0.5
"""Seconds to find the thread asleep."""
_NAP = 0.005
_PROC = Proc()
_INT = 4
_NONE: tuple[int, ...] = (0,) * 6
_NAMES = names_of(platform.machine())


def beats(question: Question) -> Iterator[Facts]:
    """Listen to each thread of `question.threads` for three beats, or three seconds.

    Yields:
        Per thread the calls that name a path or an address, with their results and how often each
        came; or a Gap that says why the thread was not listened to.
    """
    end = time.monotonic() + _IN_ALL
    for pid, tid in question.threads:
        what = f"what thread {tid} of process {pid} polls"
        refused = traced(pid, tid, what) or _awake(pid, tid, what)
        if refused is not None:
            yield Facts(gaps=(refused,))
            continue
        try:
            ear = _listen(pid, tid, min(time.monotonic() + LONGEST, end))
        except (TraceError, PermissionError) as error:
            yield Facts(gaps=(refusal(pid, what, str(error)),))
            continue
        slept = () if ear.was_woken else (Gap(what=what, why="it slept all the time"),)
        yield Facts(beats=fold(pid, tid, ear.heard), gaps=slept)


def _awake(pid: int, tid: int, what: str) -> Gap | None:
    """Wait shortly until the thread is in a sleep that may be interrupted. None: it is."""
    until = time.monotonic() + _CATCH
    while time.monotonic() < until:
        if _sleep(pid, tid) is not None:
            return None
        time.sleep(_NAP)
    why = "it is in no timed sleep that could be interrupted without harm"
    return Gap(what=what, why=why)


def _sleep(pid: int, tid: int) -> str | None:
    """Name the restartable sleep that the thread is in right now, if it is in one."""
    stat = parse_stat(_PROC.peek(f"{pid}/task/{tid}/stat"))
    line = parse_line(_PROC.peek(f"{pid}/task/{tid}/syscall"), _NAMES)
    return line.name if stat is not None and stat.state == "S" and is_restartable(line) else None


def _listen(pid: int, tid: int, deadline: float) -> "_Ear":
    with memory_of(_PROC, pid, tid) as read:
        ear = _Ear(pid, tid, read)
        listen(tid, deadline=deadline, may_stop=ear.is_asleep, heed=ear.heed)
        return ear


class _Ear:
    """What was heard so far of one thread: pairs entries with exits, and counts the beats."""

    def __init__(self, pid: int, tid: int, read: Read) -> None:
        self.heard: list[tuple[Named, int]] = []
        self._pid, self._tid, self._read = pid, tid, read
        self._sleep = ""
        self._sleeps = self._calls = 0
        self._name = ""
        self._arguments = _NONE
        self._connecting: dict[int, int] = {}
        """By socket: which entry of `heard` is its connect, not yet ended."""

    @property
    def was_woken(self) -> bool:
        """Tell whether the thread came out of the sleep that it was in at first."""
        return self._calls > 1

    def is_asleep(self) -> bool:
        """Remember the sleep that the beats are counted by, and tell whether there is one."""
        self._sleep = _sleep(self._pid, self._tid) or ""
        return self._sleep != ""

    def heed(self, call: SystemCall) -> bool:
        """Take an entry or an exit; tell whether there is more to hear."""
        if call.result is None:
            return self._enter(_NAMES.get(call.number, ""), call.arguments)
        self._leave(max(-call.result, 0))
        self._name, self._arguments = "", _NONE
        return True

    def _enter(self, name: str, arguments: tuple[int, ...]) -> bool:
        """Begin a call. The interrupted sleep is entered once more, and is no beat."""
        self._name, self._arguments = name, arguments
        self._calls += 1
        self._sleeps += name in (self._sleep, "restart_syscall")
        return self._sleeps <= BEATS

    def _leave(self, error: int) -> None:
        """End a call: its words in memory are still those of the entry, and the answer is there."""
        if asks_for_error(self._name, self._arguments):
            self._connected(self._arguments[0], self._read(self._arguments[3], _INT))
        elif (what := named(self._name, self._arguments, self._read, self._place)) is not None:
            if self._name == "connect":
                self._connecting[self._arguments[0]] = len(self.heard)
            self.heard.append((what, error))

    def _connected(self, fd: int, answer: bytes) -> None:
        """Put the final result in the place of "in progress"."""
        index = self._connecting.pop(fd, None)
        if index is not None and len(answer) == _INT:
            self.heard[index] = self.heard[index][0], int.from_bytes(answer, sys.byteorder)

    def _place(self, fd: int | None) -> str:
        return _PROC.link(f"{self._pid}/cwd" if fd is None else f"{self._pid}/fd/{fd}")
