"""A connection that is being made: whoever listens there, and TCP's own limit."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import is_call
from hangbisect.waits._ends import holders_of
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 270
UNIX = ("/", "@")
"""How addresses of Unix sockets begin: a path, or an abstract name (unix(7))."""


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise connect. TCP gives up by itself (tcp_syn_retries, tcp(7)), a Unix socket not."""
    if not is_call(thread, ("connect",)) or thread.call is None:
        return None
    address = thread.call.address or ""
    listeners = holders_of(thread, index.listeners(address), index) if address else ()
    fds = ", ".join(str(fd) for fd in thread.call.descriptors)
    local = address.startswith(UNIX)
    return Wait(
        thread=ref_of(thread),
        kind="connect",
        on=Thing(kind="address", id=address),
        says=f"connects to {address or 'an address that could not be read'}, and has no answer",
        wakers=listeners,
        roots=("outside",) if local else ("outside", "timer"),
        evidence=(f"connect of descriptor {fds}",),
    )
