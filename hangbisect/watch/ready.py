"""Wait until a descriptor can be read."""

import select
import sys
from collections.abc import Iterable


def ready(fds: Iterable[int], timeout: float | None) -> frozenset[int]:
    """Return which can be read (or are at their end); wait at most `timeout` seconds for one.

    poll(2) and not select(2): a descriptor of the user's may have any number.
    """
    if sys.platform == "win32":
        raise NotImplementedError
    poller = select.poll()
    for fd in fds:
        poller.register(fd, select.POLLIN)
    return frozenset(fd for fd, _ in poller.poll(None if timeout is None else timeout * 1000))
