"""The helpers of one process: forked for a look, killed at its deadline, reaped by their pids."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.watch import helper
from hangbisect.watch.census import Member
from hangbisect.watch.ladder import BY_NAME, Name
from hangbisect.watch.release import release, running

_YAMA = "/proc/sys/kernel/yama/ptrace_scope"
_CAP_SYS_PTRACE = 19


def must_be_ancestor() -> bool:
    """Tell whether the kernel lets a process look only into what it started (Ubuntu's default).

    Yama's level 1, for whoever lacks CAP_SYS_PTRACE:
    https://docs.kernel.org/admin-guide/LSM/Yama.html. A helper is no ancestor of the target.
    """
    try:
        with open(_YAMA, encoding="ascii") as file:
            scope = file.read().strip()
        with open("/proc/self/status", encoding="utf-8", errors="replace") as file:
            effective = next(line for line in file if line.startswith("CapEff:"))
    except OSError:  # a kernel without Yama
        return False
    return scope == "1" and not int(effective.split()[1], 16) >> _CAP_SYS_PTRACE & 1


class Helpers:
    """Those that look for us now. One that is stuck in the kernel is killed, then left alone."""

    def __init__(self, *others: int) -> None:
        """Remember our own other processes: no look counts them."""
        self._others = others
        self._due: dict[int, float] = {}
        self._given_up: set[int] = set()
        self._running: dict[int, tuple[Member, ...]] = {}
        """What ran before a helper came that may stop it."""

    @property
    def pids(self) -> frozenset[int]:
        """Those that have not been reaped."""
        return frozenset(self._due) | self._given_up

    @property
    def next_due(self) -> float | None:
        """When the next one is to be killed, in seconds on CLOCK_MONOTONIC."""
        return min(self._due.values(), default=None)

    @property
    def busy(self) -> bool:
        """Whether this process itself may be waiting for children: never."""
        return False

    def begin(self, name: Name, question: Question, out: int) -> None:
        """Fork a helper that performs a look and writes to `out`; our `out` stays as it is."""
        if sys.platform != "linux":
            raise NotImplementedError
        ours = os.getpid()
        before = running(question) if BY_NAME[name].stops else ()
        pid = os.fork()
        if pid == 0:
            _help(name, self._ask(question, ours), out, ours)
        self._due[pid] = time.monotonic() + BY_NAME[name].deadline
        self._running[pid] = before

    def kill_late(self) -> None:
        """Kill those whose time is up."""
        now = time.monotonic()
        for pid in [pid for pid, due in self._due.items() if due <= now]:
            self.give_up(pid)

    def kill_all(self) -> None:
        """Kill all of them."""
        for pid in list(self._due):
            self.give_up(pid)

    def give_up(self, pid: int) -> None:
        """Kill one. It is our child and not reaped, so the pid is still its own."""
        if sys.platform != "linux":
            raise NotImplementedError
        del self._due[pid]
        self._given_up.add(pid)
        os.kill(pid, signal.SIGKILL)

    def reap(self) -> None:
        """Take note of those that have ended. Does not wait."""
        if sys.platform != "linux":
            raise NotImplementedError
        for pid in self.pids:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended == pid:
                self._due.pop(pid, None)
                self._given_up.discard(pid)
                before = self._running.pop(pid)
                if before and os.WIFSIGNALED(status):
                    release(before)

    def wait(self, bound: float) -> None:
        """Wait at most `bound` seconds until all are reaped."""
        deadline = time.monotonic() + bound
        self.reap()
        while self.pids and time.monotonic() < deadline:
            time.sleep(0.002)
            self.reap()

    def _ask(self, question: Question, ours: int) -> Question:
        leave_out = {*question.leave_out, *self._others, ours, *self.pids}
        return msgspec.structs.replace(question, leave_out=tuple(sorted(leave_out)))


class Threads:
    """Looks in threads of this process: where the kernel lets only ancestors look (Yama 1).

    A thread cannot be killed: one that is late is left alone, its answer is not waited for.
    """

    def __init__(self, *others: int) -> None:
        """Remember our own other processes: no look counts them."""
        self._others = others
        self._running: list[threading.Thread] = []

    @property
    def pids(self) -> frozenset[int]:
        """No process of its own."""
        return frozenset()

    @property
    def next_due(self) -> float | None:
        """Nothing is killed."""
        return None

    @property
    def busy(self) -> bool:
        """Whether a look is going on, which may have children of its own."""
        return any(thread.is_alive() for thread in self._running)

    def begin(self, name: Name, question: Question, out: int) -> None:
        """Perform a look in a thread that writes to a copy of `out`."""
        leave_out = {*question.leave_out, *self._others, os.getpid()}
        asked = msgspec.structs.replace(question, leave_out=tuple(sorted(leave_out)))
        self._running = [thread for thread in self._running if thread.is_alive()]
        copy = os.dup(out)
        self._running.append(_start(lambda: helper.perform(name, asked, copy)))

    def kill_late(self) -> None:
        """Do nothing: a thread cannot be killed."""

    def kill_all(self) -> None:
        """Do nothing: a thread ends with its process."""

    def reap(self) -> None:
        """Do nothing: there is no child."""

    def wait(self, bound: float) -> None:
        """Do nothing: a thread ends with its process."""


def _start(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def _help(name: Name, question: Question, out: int, parent: int) -> None:
    """Be the helper, from the fork to the end."""
    try:
        helper.become_helper(parent, keep=out)
        asked = msgspec.structs.replace(question, leave_out=(*question.leave_out, os.getpid()))
        helper.perform(name, asked, out)
    finally:
        os._exit(0)
