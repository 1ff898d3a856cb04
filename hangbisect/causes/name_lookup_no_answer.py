"""A host's name is looked up, and no name server answers.

## What happens

The program asks for the address of a host, and the resolver of the C library waits for a name
server, asks again, asks the next one, and so on: from ten seconds to some minutes for one name.

## Why

The name server in /etc/resolv.conf cannot be reached from here (a laptop that left its network,
a container without DNS, a VPN that went away), or drops what it is asked.

## How it is recognised

The thread waits on a socket to port 53, or on that of a local name service; or its innermost
Python code is `socket.getaddrinfo`, which waits. The name is taken from there.

## How it is proved

By a run that needs no look-up (an address instead of the name, an offline mode), which must
pass. The server may answer at any moment, so facts alone make this "likely".

## Fix

Correct the name server, or keep the program from asking: an offline mode, an address, a line in
/etc/hosts. `options timeout:1 attempts:1` in resolv.conf makes failures quick, and costs
answers that would have come late.

## References

- https://man7.org/linux/man-pages/man5/resolv.conf.5.html
- https://docs.python.org/3/library/socket.html#socket.getaddrinfo
"""

import re

from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._network import connections, host_of, seconds_in
from hangbisect.causes._rows import (
    from_afar,
    function_of,
    is_frame_of,
    own_frame,
    ref_of,
    suspects,
    where,
)
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading

PORT = "53"
SERVICE = re.compile(r"/nscd/socket$|/systemd/resolve/|/sss/pipes/nss$|/avahi-daemon/socket$")
"""Unix sockets of local name services."""


class NameLookupNoAnswer(Rule):
    """A wait for a name server."""

    code = "HB503"
    name = "name-lookup-no-answer"
    specificity = 60

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that waits for a name server, or inside getaddrinfo."""
        for thread in suspects(reading):
            servers = _servers(reading, thread)
            if servers or _is_looking_up(thread):
                return self._found(reading, thread, servers)
        return None

    def _found(self, reading: Reading, thread: Thread, servers: tuple[str, ...]) -> Finding:
        host, seconds = host_of(reading, thread), seconds_in(reading, thread)
        since = f" for {seconds:.0f} s" if seconds else ""
        server = " or ".join(servers) or "which could not be seen"
        frame = own_frame(thread)
        rows = [thread_row(reading, thread), call_row(thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            from_afar(reading, thread),
            f"{where(thread)} looks up {f'the name {host}' if host else 'a name'}, and the name "
            f"server ({server}) has not answered{since}.",
            blocker=Blocker(
                kind="host",
                id=host or server,
                detail={"name": host or None, "servers": list(servers), "seconds": seconds},
            ),
            evidence=(*rows, *(_row(thread, server) for server in servers)),
            fix=Fix(
                summary="Make the name server reachable, or keep the program from asking.",
                steps=(
                    f"Try it alone: getent hosts {host or 'NAME'}",
                    "Use an offline mode of the library, or an address instead of the name.",
                    "Correct /etc/resolv.conf: the server there is not reached from here.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _servers(reading: Reading, thread: Thread) -> tuple[str, ...]:
    """Return the name servers that a thread waits for."""
    remotes = [each.socket.remote for each in connections(reading, thread)]
    address = thread.call.address if thread.call else None
    named = [*remotes, *([address] if address else [])]
    return tuple(name for name in named if name.rpartition(":")[2] == PORT or SERVICE.search(name))


def _is_looking_up(thread: Thread) -> bool:
    """Tell whether the innermost Python code is getaddrinfo, and it waits."""
    frame = thread.frames[-1] if thread.frames else None
    waits = thread.call is not None and thread.call.name not in ("", "running", "futex")
    inside = frame is not None and is_frame_of(frame, "socket.py")
    return waits and inside and frame is not None and function_of(frame) == "getaddrinfo"


def _row(thread: Thread, server: str) -> Evidence:
    return Evidence(ref=f"thread:{thread.tid}", shows=f"waits on a socket to {server}")


cause = NameLookupNoAnswer()
