"""Signals of front and keeper: what they got, what they take, what they hand to the target."""

import contextlib
import os
import signal
import struct
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal

from hangbisect.model._struct import Data
from hangbisect.watch import kernel

SI_KERNEL = 0x80
"""si_code of what the kernel sends itself: the terminal's Ctrl-C and Ctrl-\\, a hang-up."""
_SIGINFO = struct.Struct("=IiiI112x")
"""struct signalfd_siginfo: ssi_signo, ssi_errno, ssi_code, ssi_pid; 128 bytes in all."""

Handler = Callable[[int, FrameType | None], Any] | int | signal.Handlers | None
"""What signal.signal gives and takes."""
Handling = Literal["leave", "forward", "ask"]


class Received(Data, frozen=True, kw_only=True, tag=True):
    """A signal as it came."""

    signal: int
    sender: int
    """pid; 0 for the kernel, or a process that we cannot see."""
    by_terminal: bool


class Heritage(Data, frozen=True, kw_only=True):
    """Dispositions and mask as we were started with: what the target has to get."""

    ignored: frozenset[int]
    blocked: frozenset[int]


def heritage() -> Heritage:
    """Read what we were started with. Call it before anything installs a handler.

    Python itself ignores SIGPIPE and SIGXFSZ when it starts; subprocess, too, sets them back to
    their default for its children.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    ours = {signal.SIGPIPE, signal.SIGXFSZ}
    ignored = {n for n in signal.valid_signals() if signal.getsignal(n) == signal.SIG_IGN}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return Heritage(
        ignored=frozenset(int(n) for n in ignored - ours),
        blocked=frozenset(int(n) for n in blocked),
    )


def hand_down(heritage: Heritage) -> None:
    """Set all dispositions and the mask back, in a child just before its exec.

    The mask comes last: what arrived since the fork is then met as a program without us meets it.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        action = signal.SIG_IGN if number in heritage.ignored else signal.SIG_DFL
        with contextlib.suppress(OSError):  # the C library keeps a few numbers for itself
            signal.signal(number, action)
    signal.pthread_sigmask(signal.SIG_SETMASK, heritage.blocked)


def handling(received: Received) -> Handling:
    """Decide what is to be done for the target with a signal that came to the front.

    The kernel sends to the whole group, so the target has it. What a process sent is forwarded.
    Programs count Ctrl-C and the user signals, so for these somebody has to say first whether the
    sender meant the whole group; for the others a second one changes nothing.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    if received.by_terminal:
        return "leave"
    if received.signal in {signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2}:
        return "ask"
    return "forward"


class Inbox:
    """Reads the signals that are for us from a descriptor, so that each tells where it came from.

    While it is open they are blocked in this thread. For SIGTTIN and SIGTTOU handlers are put in
    place as well, empty ones: these two reach the whole group when the target touches the terminal
    from the background. Blocked, they also let us write to it instead of trying for ever. Never
    ignored: that would be inherited by what is executed.
    """

    fd: int
    """The descriptor to wait on."""

    def __init__(self, *more: str) -> None:
        """Take the signals that are for a program such as the target, and `more`, by name."""
        if sys.platform != "linux":
            raise NotImplementedError
        self._numbers = {
            *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT),
            *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGTTIN, signal.SIGTTOU),
            *(signal.Signals[name] for name in more),
        }
        self._before = signal.pthread_sigmask(signal.SIG_BLOCK, self._numbers)
        self._handlers = _set_empty_handlers()
        self.fd = above_standard(kernel.signal_descriptor(self._numbers))

    def read(self) -> tuple[Received, ...]:
        """Return what came since the last call. Does not wait."""
        got: list[Received] = []
        while True:
            try:
                head = os.read(self.fd, _SIGINFO.size)
            except BlockingIOError:
                return tuple(got)
            number, _, code, sender = _SIGINFO.unpack(head)
            by_terminal = code == SI_KERNEL
            got.append(Received(signal=number, sender=sender, by_terminal=by_terminal))

    def close(self) -> None:
        """Drop what is pending, and put mask and handlers back."""
        if sys.platform != "linux":
            raise NotImplementedError
        self.read()
        os.close(self.fd)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)


def above_standard(fd: int) -> int:
    """Move a descriptor of ours away from 0, 1 and 2, which may be closed and must stay so.

    Raises:
        OSError: the limit of open files (`ulimit -n`) leaves no number.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    import fcntl
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    lowest = 64 if limit == resource.RLIM_INFINITY else min(64, max(3, limit // 2))
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, lowest)
    finally:
        os.close(fd)


def _set_empty_handlers() -> dict[int, Handler]:
    if sys.platform != "linux":
        raise NotImplementedError
    if threading.current_thread() is not threading.main_thread():
        return {}  # only the main thread may; the mask alone serves this one
    return {n: signal.signal(n, _nothing) for n in (signal.SIGTTIN, signal.SIGTTOU)}


def _nothing(number: int, frame: FrameType | None) -> None:
    """Do nothing: the place of the default, which would stop us."""
