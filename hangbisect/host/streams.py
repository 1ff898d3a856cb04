"""Where our standard streams lead: a target has got the same ones."""

import os
import select
import stat
from collections.abc import Iterable

from hangbisect.model import Leads, Stream


def streams(fds: Iterable[int] = (1, 2)) -> tuple[Stream, ...]:
    """Say where each leads now."""
    return tuple(Stream(fd=fd, leads=_leads(fd)) for fd in fds)


def _leads(fd: int) -> Leads:
    try:
        status = os.fstat(fd)
        nowhere = os.stat(os.devnull)
    except OSError:
        return "closed"
    kinds: tuple[tuple[bool, Leads], ...] = (
        (os.path.samestat(status, nowhere), "null"),
        (stat.S_ISREG(status.st_mode), "file" if status.st_nlink else "deleted"),
        (stat.S_ISCHR(status.st_mode) and os.isatty(fd), "terminal"),
        (stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode), _other_end(fd)),
    )
    return next((leads for holds, leads in kinds if holds), "other")


def _other_end(fd: int) -> Leads:
    """Tell whether anybody is at the other end. POLLERR and POLLHUP come unasked."""
    poll = getattr(select, "poll", None)
    if poll is None:
        return "pipe"
    asked = poll()
    asked.register(fd, 0)
    return "no-reader" if asked.poll(0) else "pipe"
