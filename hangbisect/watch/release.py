"""Undo what a helper leaves behind that is killed while it stops the target.

PTRACE_ATTACH sends a SIGSTOP. If the debugger dies before it has seen it, the process stays stopped
(https://man7.org/linux/man-pages/man2/ptrace.2.html).
"""

import signal
import sys
import time
from collections.abc import Iterable

from hangbisect.host._protocol import Question
from hangbisect.watch import census, ending
from hangbisect.watch.census import Member

_SETTLING = 0.02
"""Seconds for a SIGSTOP to take effect after its sender died."""


def running(question: Question) -> tuple[Member, ...]:
    """Name the processes of a tree that nobody has stopped."""
    members = census.descendants(census.everyone(), (question.root, *question.extra))
    return tuple(member for member in members if member.state != "T")


def release(members: Iterable[Member]) -> None:
    """Let those go on that are stopped now."""
    if sys.platform != "linux":
        raise NotImplementedError
    time.sleep(_SETTLING)
    for member in members:
        now = census.member(member.pid)
        if now is not None and now.began == member.began and now.state == "T":
            ending.send(member, signal.SIGCONT)
