"""End as the target did, so that whoever started us sees no difference."""

import os
import signal
import sys
from typing import NoReturn

from hangbisect.watch import kernel


def exit_like(status: int) -> NoReturn:
    """End this process with the wait status of the target: its code, or its signal.

    Signals are raised on ourselves, so that a shell says "Terminated" or stops its loop on Ctrl-C
    as it would without us. We leave no core dump: the target's own is the one that matters.
    """
    _flush()
    number = status & 0x7F
    if not number:
        os._exit(status >> 8 & 0xFF)
    _die_of(number)
    os._exit(128 + number)


def _die_of(number: int) -> None:
    if sys.platform != "linux":
        raise NotImplementedError
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    kernel.control(kernel.Option.DUMPABLE, 0)
    if number not in {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            continue  # the reader is gone or it was closed: nobody is there to be told
