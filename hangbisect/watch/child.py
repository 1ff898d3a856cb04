"""What becomes of a child, by its pid: "any child" may be one that somebody else waits for."""

import contextlib
import os
import sys
import time
from collections.abc import Callable

from hangbisect.watch.happenings import Continued, Exited, Stopped

Tell = Callable[[Exited | Stopped | Continued], None]


def note(pid: int, tell: Tell, *, stops: bool = True) -> bool:
    """Tell how a child changed since the last call; do not wait.

    Its end is told before it is reaped: should we die in between, our own parent can still read it.

    Args:
        pid: The child.
        tell: Is called with each change.
        stops: Take note of stops, too. Not while a thread of ours traces the child: that waits for
            the stops itself, and the kernel gives each to one of us only.

    Returns:
        False if there is no such child: its end was told before, or somebody else reaped it.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    if stops:
        _note_stops(pid, tell)
    try:
        now = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        # A child that a thread of ours traces is shown when it stops, too, asked for or not.
        if now is not None and now.si_code in {os.CLD_EXITED, os.CLD_KILLED, os.CLD_DUMPED}:
            tell(Exited(pid=pid, status=wait_status(now.si_code, now.si_status)))
            os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def _note_stops(pid: int, tell: Tell) -> None:
    if sys.platform != "linux":
        raise NotImplementedError
    with contextlib.suppress(ChildProcessError):  # asked without WEXITED, a zombie is no child
        while job := os.waitid(os.P_PID, pid, os.WSTOPPED | os.WCONTINUED | os.WNOHANG):
            tell(_job(pid, job.si_code, job.si_status))


def wait_status(code: int, status: int) -> int:
    """Compose what wait(2) would give from the two fields of waitid(2)."""
    if sys.platform != "linux":
        raise NotImplementedError
    if code == os.CLD_EXITED:
        return status << 8
    return status | 0x80 if code == os.CLD_DUMPED else status


def reap(pid: int) -> bool:
    """Take note of a child's end if it has ended, whoever may have done so before."""
    if sys.platform != "linux":
        raise NotImplementedError
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def reap_within(pid: int, bound: float) -> bool:
    """Wait at most `bound` seconds for a child's end; tell whether it came."""
    deadline = time.monotonic() + bound
    while not reap(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


def _job(pid: int, code: int, number: int) -> Stopped | Continued:
    if sys.platform != "linux":
        raise NotImplementedError
    if code == os.CLD_CONTINUED:
        return Continued(pid=pid)
    return Stopped(pid=pid, signal=number)
