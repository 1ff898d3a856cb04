"""A connection is asked for, and the other side does not answer.

## What happens

The program connects to a host, and neither "yes" nor "no" comes back. On Linux TCP gives up by
itself after about two minutes, and the program or its library then often begins again. A Unix
socket whose owner does not accept is waited for without any end.

## Why

A firewall drops what it should refuse; the host is off, or the address is of another network; a
proxy is named that cannot be reached from here; or the server is there and its queue of
connections is full, because it is stuck itself.

## How it is recognised

The thread is in `connect`, or polls a socket whose state is "connection asked for" (SYN_SENT).

## How it is proved

By a run with the variable or the option that keeps the program from connecting (an offline mode,
another address), which must pass. Somebody else may answer at any moment, so facts alone make
this "likely".

## Fix

Where a proxy variable names the peer, correct or unset it for this host. Otherwise check the
address, and use the library's offline mode, which costs what it would have fetched. A time limit
on the connection turns the wait into an error.

## References

- https://man7.org/linux/man-pages/man7/tcp.7.html (tcp_syn_retries)
- https://docs.python.org/3/library/socket.html#socket.create_connection
"""

from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._network import (
    Connection,
    connections,
    host_of,
    peer_of,
    proxy_of,
    seconds_in,
    spelled,
)
from hangbisect.causes._rows import from_afar, own_frame, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading


class ConnectNoAnswer(Rule):
    """A connect that has not come back."""

    code = "HB501"
    name = "connect-no-answer"
    specificity = 70

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread whose connection is still being made."""
        for thread in suspects(reading):
            address = connecting_to(reading, thread)
            if address:
                return self._found(reading, thread, address)
        return None

    def _found(self, reading: Reading, thread: Thread, address: str) -> Finding:
        proxy, host = proxy_of(reading.snapshot, address), host_of(reading, thread)
        seconds, listener = seconds_in(reading, thread), peer_of(reading, thread)
        since = f" for {seconds:.0f} s" if seconds else ""
        named = f", the proxy of {proxy}," if proxy else ""
        there = f"; {listener} listens there and does not accept" if listener else ""
        frame = own_frame(thread)
        rows = [thread_row(reading, thread), call_row(thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            from_afar(reading, thread),
            f"{where(thread)} connects to {spelled(address, host)}{named} and has had no answer"
            f"{since}{there}.",
            blocker=Blocker(
                kind="host" if ":" in address else "file",
                id=address,
                detail={
                    "host": host or None,
                    "proxy": proxy or None,
                    "seconds": seconds,
                    "limit": thread.call.interval if thread.call else None,
                    "listener": listener or None,
                },
            ),
            evidence=(*rows, *_socket_rows(reading, thread)),
            fix=_fix(address, proxy),
            chain=reading.chain_of(ref_of(thread)),
        )


def connecting_to(reading: Reading, thread: Thread) -> str:
    """Return the address of a connection that a thread waits to be made, "" if there is none."""
    call = thread.call
    if call is None:
        return ""
    if call.name == "connect" and call.address:
        return call.address
    pending = _pending(reading, thread)
    return pending[0].socket.remote if pending else ""


def _pending(reading: Reading, thread: Thread) -> tuple[Connection, ...]:
    found = connections(reading, thread)
    return tuple(each for each in found if each.socket.state == "SYN_SENT" and each.socket.remote)


def _socket_rows(reading: Reading, thread: Thread) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            ref=f"descriptor:{thread.pid}:{each.row.fd}",
            shows=f"a socket in state {each.socket.state} towards {each.socket.remote}",
        )
        for each in _pending(reading, thread)
    )


def _fix(address: str, proxy: str) -> Fix:
    first = (
        f"Correct {proxy}, or name the host in NO_PROXY."
        if proxy
        else f"Check that {address} is meant, and can be reached from this machine."
    )
    return Fix(
        summary=first,
        steps=(
            first,
            "Or use the offline mode of the library that connects: it then uses what it has.",
            "Give the connection a time limit: that turns the wait into an error.",
        ),
    )


cause = ConnectNoAnswer()
