"""A connection stands, something was asked, and no answer comes.

## What happens

The program waits for data on a connection that was made long ago. The other side keeps it open
and sends nothing.

## Why

A model hub or a proxy that is overloaded, a local agent that is stuck itself, or a firewall that
forgot the connection. Most clients have no time limit unless they are given one.

## How it is recognised

The thread waits to read from an established connection (TCP, or a Unix socket with a path), or
polls such a one, and it is not a server that waits for clients. Where the kernel counts bytes,
it is said how many were sent and received.

## How it is proved

The peer may answer at any moment, so this is "likely" at most; a run with the library's offline
mode, which must pass, proves it. Where both ends are in the very process that waits there is no
other side, and that is what is said.

## Fix

Give the call a time limit (for `requests`, `urllib` and `httpx` an argument `timeout`), which
turns the wait into an error. Or keep the program from asking: an offline mode, a cache that is
filled before, the local agent started again. A program that has both ends must write before it
reads, or read in another thread.

## References

- https://docs.python.org/3/library/urllib.request.html#urllib.request.urlopen
- https://requests.readthedocs.io/en/latest/user/advanced/#timeouts
"""

from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._moving import is_at_work
from hangbisect.causes._network import (
    Connection,
    connections,
    host_of,
    peer_of,
    port_of,
    proxy_of,
    seconds_in,
    sockets_of,
    spelled,
)
from hangbisect.causes._rows import from_afar, own_frame, ref_of, source_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Socket, Thread
from hangbisect.waits import Reading

OPEN = ("ESTABLISHED", "CLOSE_WAIT", "FIN_WAIT1", "FIN_WAIT2")


class PeerSilent(Rule):
    """A read from a connection on which nothing comes."""

    code = "HB502"
    name = "peer-silent"
    specificity = 35

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that reads an established connection, and serves nobody."""
        for thread in () if is_at_work(reading) else suspects(reading):
            silent = _silent(reading, thread)
            if silent:
                return self._found(reading, thread, silent)
        return None

    def _found(self, reading: Reading, thread: Thread, silent: tuple[Connection, ...]) -> Finding:
        address, asked = _name(silent[0]), _asked(reading, thread)
        proxy, host = proxy_of(reading.snapshot, address), host_of(reading, thread)
        holder, seconds = peer_of(reading, thread), seconds_in(reading, thread)
        since = f" for {seconds:.0f} s" if seconds else ""
        named = f", the proxy of {proxy}" if proxy else f", which is {holder}" if holder else ""
        frame = own_frame(thread)
        rows = [thread_row(reading, thread), call_row(thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        own = _is_own(reading, thread, silent)
        said = (
            f"{where(thread)} reads a connection to {address} whose both ends are in this very "
            f"process, and nothing came{since}{asked}."
            if own
            else f"{where(thread)} waits for an answer from {spelled(address, host)}{named}, and "
            f"no byte has come{since}{asked}."
        )
        return self.finding(
            from_afar(reading, thread) if len(silent) == 1 else "possible",
            said,
            blocker=Blocker(
                kind="file" if address.startswith("/") else "host",
                id=address,
                detail={
                    "host": host or None,
                    "proxy": proxy or None,
                    "peer": holder or None,
                    "seconds": seconds,
                    "sent": silent[0].socket.sent,
                    "received": silent[0].socket.received,
                },
            ),
            evidence=(*rows, *(_row(thread, each) for each in silent)),
            fix=_fix_own(thread) if own else _fix(thread, holder or address),
            chain=reading.chain_of(ref_of(thread)),
        )


def _fix(thread: Thread, other: str) -> Fix:
    return Fix(
        summary=f"Give the call at {where(thread)} a time limit, or keep it from asking.",
        steps=(
            "Give the call a time limit: it then fails instead of waiting.",
            "Use the offline mode of the library, or another address.",
            f"Look at the other side ({other}): why does it not answer?",
        ),
    )


def _fix_own(thread: Thread) -> Fix:
    return Fix(
        summary=f"Write to the connection's other end before {where(thread)} reads this one.",
        steps=(
            "Or serve the other end in a thread, or in a process, of its own.",
            "Give the call a time limit: it then fails instead of waiting.",
        ),
    )


def _silent(reading: Reading, thread: Thread) -> tuple[Connection, ...]:
    """Return the connections that a thread waits to read; none where it waits for clients too."""
    if thread.call is None or thread.call.writes or thread.call.name.startswith("accept"):
        return ()
    found = connections(reading, thread)
    served = {port_of(row.local) for row in sockets_of(reading, thread.pid) if _listens(row)}
    if any(_listens(each.socket) for each in found):
        return ()
    return tuple(
        each
        for each in found
        if each.socket.type == "stream"
        and each.socket.state in OPEN
        and _name(each)
        and port_of(each.socket.local) not in served
    )


def _listens(socket: Socket) -> bool:
    return socket.state == "LISTEN"


def _name(connection: Connection) -> str:
    """Name the other side; a Unix socket without a name has none that helps."""
    return connection.socket.remote


def _asked(reading: Reading, thread: Thread) -> str:
    frame = own_frame(thread)
    line = source_of(reading.snapshot, frame) if frame else ""
    return f"; the line is `{line}`" if line else ""


def _is_own(reading: Reading, thread: Thread, silent: tuple[Connection, ...]) -> bool:
    """Tell whether the other ends are open in the waiting thread's process, and in no other."""
    peers = [each.socket.peer for each in silent]
    rows = [row for peer in peers if peer for row in reading.index.descriptors_on(peer)]
    return None not in peers and {row.pid for row in rows} == {thread.pid}


def _row(thread: Thread, each: Connection) -> Evidence:
    socket = each.socket
    counted = socket.sent is not None and socket.received is not None
    bytes_ = f", {socket.sent} bytes sent, {socket.received} received" if counted else ""
    shows = f"a {socket.family} socket to {socket.remote}, {socket.state}{bytes_}"
    return Evidence(ref=f"descriptor:{thread.pid}:{each.row.fd}", shows=shows)


cause = PeerSilent()
