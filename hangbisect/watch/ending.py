"""The ending: stop all that belongs to the target, then kill it, and say what is left."""

import os
import signal
import sys
import time
from collections.abc import Callable

from hangbisect.model._struct import Data
from hangbisect.watch.census import Member, member

BOUND = 3.0
"""Seconds after which what has not gone is reported and left."""

Census = Callable[[], tuple[Member, ...]]


class Left(Data, frozen=True, kw_only=True):
    """A process that outlived SIGKILL."""

    pid: int
    command: str
    state: str
    why: str


class Ended(Data, frozen=True, kw_only=True, tag=True):
    """What the ending did."""

    killed: tuple[int, ...] = ()
    left: tuple[Left, ...] = ()
    status: int | None = None
    """The target's wait status; None while it has not gone."""


def end(census: Census, bound: float = BOUND) -> Ended:
    """End all processes of a census, within `bound` seconds.

    First everything is stopped, parents first, so that no launcher starts a child again and no
    member runs away while others die. Then all are killed, until the census is empty.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    began = time.monotonic()
    _stop(census, began + bound / 3)
    met, refused = _kill(census, began + bound)
    left = tuple(_describe(process, refused.get(process.pid, "")) for process in census())
    alive = {process.pid for process in left}
    return Ended(killed=tuple(pid for pid in met if pid not in alive), left=left)


def send(process: Member, number: int) -> str:
    """Send a signal to exactly this process, never to another one that got its pid.

    Returns:
        "" if it was sent or the process is gone, else why it could not be.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    try:
        fd = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return ""
    except OSError:  # a kernel before 5.3, or a container that forbids the call
        return _send_by_pid(process, number)
    try:
        if _is_same(process):
            signal.pidfd_send_signal(fd, number)
    except ProcessLookupError:
        return ""
    except PermissionError as error:
        return str(error.strerror)
    finally:
        os.close(fd)
    return ""


def _send_by_pid(process: Member, number: int) -> str:
    try:
        if _is_same(process):
            os.kill(process.pid, number)
    except ProcessLookupError:
        return ""
    except PermissionError as error:
        return str(error.strerror)
    return ""


def _is_same(process: Member) -> bool:
    now = member(process.pid)
    return now is not None and now.began == process.began


def _stop(census: Census, deadline: float) -> None:
    """Stop all members, and look again until nobody is new."""
    if sys.platform != "linux":
        raise NotImplementedError
    stopped: set[tuple[int, int]] = set()
    while time.monotonic() < deadline:
        fresh = [process for process in census() if _name(process) not in stopped]
        if not fresh:
            return
        for process in fresh:
            stopped.add(_name(process))
            send(process, signal.SIGSTOP)


def _kill(census: Census, deadline: float) -> tuple[tuple[int, ...], dict[int, str]]:
    """Kill all members until none is left; return whom, and why some could not be."""
    if sys.platform != "linux":
        raise NotImplementedError
    refused: dict[int, str] = {}
    killed: dict[tuple[int, int], None] = {}
    pause = 0.001
    while (members := census()) and time.monotonic() < deadline:
        for process in members:
            if _name(process) not in killed:
                killed[_name(process)] = None
                refused[process.pid] = send(process, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    return tuple(pid for pid, _ in killed), refused


def _name(process: Member) -> tuple[int, int]:
    return process.pid, process.began


def _describe(process: Member, refused: str) -> Left:
    if not refused and process.state == "D":
        refused = "it is in a call that no signal ends; it goes when that call returns"
    return Left(
        pid=process.pid,
        command=process.command,
        state=process.state,
        why=refused or "it was killed and has not gone yet",
    )
