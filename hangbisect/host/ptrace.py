"""Listening to a thread's system calls by ptrace, so that the thread does not notice. Linux only.

PTRACE_SEIZE, never ATTACH (which sends SIGSTOP): when a tracer ends, by SIGKILL too, the kernel
lets its tracees go on. Who seizes is a thread, so we trace from a thread of our own and end it:
that detaches without stopping what runs. The first stop interrupts the call that the thread is
in, so only a call which the kernel restarts by itself may be listened to. See ptrace(2).
"""

import ctypes
import errno
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from hangbisect.model._struct import Data

_SEIZE, _INTERRUPT = 0x4206, 0x4207
_CONT, _SYSCALL, _DETACH = 7, 24, 17
_SYSCALL_INFO = 0x420E
_SYSGOOD = 1
"""PTRACE_O_TRACESYSGOOD: stops at system calls are told from a real SIGTRAP."""
_ALL = 0x40000000
"""__WALL of waitid(2): threads too."""
_TRAP = 5
"""SIGTRAP."""
_SYSCALL_STOP = _TRAP | 0x80
_EVENT_STOP = 128
_AT_ENTRY = 1
"""PTRACE_SYSCALL_INFO_ENTRY."""
_NAP = 0.0005
_MOMENT = 400
_SPINS = 20
"""How often to ask before the first nap: a burst of calls shall not be slowed down."""


class TraceError(Exception):
    """The thread cannot be listened to; `number` is the kernel's errno."""

    def __init__(self, request: str, number: int) -> None:
        """Say which request failed, and how."""
        super().__init__(f"{request}: {os.strerror(number)}")
        self.number = number


class SystemCall(Data, frozen=True, kw_only=True):
    """A stop at the entry of a system call (`result` None), or at its exit."""

    number: int = -1
    """At the exit: -1, the kernel does not repeat it."""
    arguments: tuple[int, ...] = ()
    result: int | None = None
    """Negative: the negated errno."""


class _Entry(ctypes.Structure):
    _fields_ = (("number", ctypes.c_uint64), ("arguments", ctypes.c_uint64 * 6))


class _Exit(ctypes.Structure):
    _fields_ = (("result", ctypes.c_int64), ("is_error", ctypes.c_uint8))


class _Either(ctypes.Union):
    _fields_ = (("entry", _Entry), ("exit", _Exit))


class _Info(ctypes.Structure):
    """struct ptrace_syscall_info of linux/ptrace.h: the same on every architecture, Linux 5.3."""

    _fields_ = (
        ("kind", ctypes.c_uint8),
        ("padding", ctypes.c_uint8 * 3),
        ("architecture", ctypes.c_uint32),
        ("instruction", ctypes.c_uint64),
        ("stack", ctypes.c_uint64),
        ("either", _Either),
    )


def listen(
    tid: int, *, deadline: float, may_stop: Callable[[], bool], heed: Callable[[SystemCall], bool]
) -> None:
    """Hand over the thread's system calls, each while the thread stands still in it.

    Ends at the deadline, when the thread ends or is stopped by a signal, and when `heed` says so:
    at the entry of a call that is the safest moment, since the call then goes on undisturbed.

    Args:
        tid: The thread.
        deadline: When to end at the latest, on CLOCK_MONOTONIC.
        may_stop: Asked once, after seizing and right before the first stop.
        heed: Given each call; says whether to go on listening.

    Raises:
        TraceError: The thread is traced already, not ours to trace, or gone.
    """

    def follow() -> None:
        if may_stop():
            request("PTRACE_INTERRUPT", _INTERRUPT, tid)
            _follow(tid, deadline, heed)

    seize(tid, follow, options=_SYSGOOD)


def seize(tid: int, work: Callable[[], None], *, options: int = 0) -> None:
    """Do `work` while the thread is ours to trace, in the one thread of ours that may, and let go.

    A tracee that ends meanwhile is no failure.

    Raises:
        TraceError: The thread is traced already, or not ours to trace.
    """
    failures: list[TraceError] = []

    def trace() -> None:
        try:
            request("PTRACE_SEIZE", _SEIZE, tid, data=options)
            work()
        except TraceError as error:
            failures.append(error)

    tracer = threading.Thread(target=trace, name="tracer")
    tracer.start()
    tracer.join()  # the work keeps its deadline by itself
    _await_end(tracer)
    if failures and failures[0].number != errno.ESRCH:
        raise failures[0]


def halt(tid: int, deadline: float) -> bool:
    """Make the seized thread stand still; signals that come first are handed on.

    Returns:
        False if it has ended, is stopped by a signal, or did not stop until the deadline: then the
        work is to end, which lets go of it.
    """
    request("PTRACE_INTERRUPT", _INTERRUPT, tid)
    while (stop := _next_stop(tid, deadline)) is not None:
        deliver = _to_deliver(stop)
        if deliver is None:
            request("PTRACE_DETACH", _DETACH, tid)
            return False
        if stop >> 8 == _EVENT_STOP:
            return True
        request("PTRACE_CONT", _CONT, tid, data=deliver)
    return False


def go_on(tid: int) -> None:
    """Let the thread that stands still go on, still seized."""
    request("PTRACE_CONT", _CONT, tid)


def request(name: str, request: int, tid: int, size: int = 0, data: int = 0) -> None:
    """Ask the kernel.

    Raises:
        TraceError: It refused.
    """
    function = ctypes.CDLL(None, use_errno=True).ptrace
    function.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)
    function.restype = ctypes.c_long
    if function(request, tid, size, data) < 0:
        raise TraceError(name, ctypes.get_errno())


def _await_end(tracer: threading.Thread) -> None:
    """Wait until the kernel has detached, which it does a moment after Python's part has ended."""
    task = Path(f"/proc/self/task/{tracer.native_id}")
    for _ in range(_MOMENT):
        if not task.exists():
            return
        time.sleep(_NAP)


def _follow(tid: int, deadline: float, heed: Callable[[SystemCall], bool]) -> None:
    """Go from stop to stop; let go in the last one, or by ending while the thread runs."""
    while (stop := _next_stop(tid, deadline)) is not None:
        deliver = _to_deliver(stop)
        if deliver is None or (stop == _SYSCALL_STOP and not heed(_call(tid))):
            request("PTRACE_DETACH", _DETACH, tid)
            return
        request("PTRACE_SYSCALL", _SYSCALL, tid, data=deliver)


def _to_deliver(stop: int) -> int | None:
    """Tell the signal to go on with, 0 for none; None if the thread is stopped by a signal."""
    event, number = stop >> 8, stop & 0xFF
    if event == _EVENT_STOP and number != _TRAP:  # by SIGSTOP or by the terminal
        return None
    return 0 if event or number == _SYSCALL_STOP else number


def _next_stop(tid: int, deadline: float) -> int | None:
    """Wait for a stop. None: there was none, since the thread runs, sleeps, or has ended.

    An end is only peeked at: if we are its parent, whoever waits for it here shall hear of it.
    """
    asked = 0
    while time.monotonic() < deadline:
        try:
            ended, stop = _peek(tid)
        except ChildProcessError:  # it has ended, and was waited for
            return None
        if ended or stop is not None:
            return stop
        asked += 1
        time.sleep(0 if asked < _SPINS else _NAP)
    return None


def _peek(tid: int) -> tuple[bool, int | None]:
    """Tell whether the thread has ended, and take its stop if there is one: signal | event << 8."""
    if sys.platform != "linux":
        return True, None
    stops = os.WSTOPPED | os.WNOHANG | _ALL
    found = os.waitid(os.P_PID, tid, stops | os.WEXITED | os.WNOWAIT)
    if found is None:
        return False, None
    if found.si_code not in (os.CLD_TRAPPED, os.CLD_STOPPED):
        return True, None
    os.waitid(os.P_PID, tid, stops)
    return False, found.si_status


def _call(tid: int) -> SystemCall:
    info = _Info()
    request(
        "PTRACE_GET_SYSCALL_INFO", _SYSCALL_INFO, tid, ctypes.sizeof(info), ctypes.addressof(info)
    )
    if info.kind == _AT_ENTRY:
        entry = info.either.entry
        return SystemCall(number=entry.number, arguments=tuple(entry.arguments))
    return SystemCall(result=info.either.exit.result)
