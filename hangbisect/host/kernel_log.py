"""The kernel's log from a moment on: what it says of deaths. Reading it never waits.

Only the kernel's own messages count: whoever may write to the log could say anything else.
https://docs.kernel.org/ABI/testing/dev-kmsg.html
"""

import os
import time

_MOST = 4096
"""Messages that are read at most."""
_BOUND = 0.5
"""Seconds after which reading stops."""
_SIZE = 8192
"""The kernel gives one message a read, and refuses a smaller room than it needs."""
_OWN = 8
"""Priorities below are of facility 0, the kernel: nobody else can write those."""


class KernelLog:
    """A place in the kernel's log: what comes after it can be asked for, once."""

    def __init__(self, path: str = "/dev/kmsg") -> None:
        """Note where the log ends now."""
        self.why = ""
        """Why it cannot be read; "" if it can."""
        self._fd = -1
        try:
            flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
            self._fd = _above_standard(path, flags)
            os.lseek(self._fd, 0, os.SEEK_END)
        except OSError as error:
            self.why = str(error.strerror)
            self.close()

    def since(self) -> tuple[str, ...]:
        """Give the kernel's messages since then, oldest first."""
        until = time.monotonic() + _BOUND
        found = []
        for _ in range(_MOST if self._fd >= 0 else 0):
            try:
                found.append(message(os.read(self._fd, _SIZE)))
            except BrokenPipeError:  # what was next is overwritten: the oldest that is left follows
                continue
            except BlockingIOError:
                break
            except OSError as error:
                self.why = str(error.strerror)
                break
            if time.monotonic() > until:
                break
        return tuple(filter(None, found))

    def close(self) -> None:
        """Let go of it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _above_standard(path: str, flags: int) -> int:
    """Open at a number above 2: where a standard stream is closed, it shall stay closed."""
    low = []
    try:
        while (fd := os.open(path, flags)) <= 2:
            low.append(fd)
    finally:
        for number in low:
            os.close(number)
    return fd


def message(record: bytes) -> str:
    """Return the text of a record; "" if it is not the kernel's own. Pure."""
    head, _, text = record.decode("utf-8", "replace").partition(";")
    priority = head.partition(",")[0]
    own = priority.isdigit() and int(priority) < _OWN
    return text.partition("\n")[0] if own else ""
