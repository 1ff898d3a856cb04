"""A connection is refused, and the program tries again and again.

## What happens

The program connects to an address where nobody listens, is refused at once, sleeps, and begins
again without saying so.

## Why

The service that is waited for was never started, died, or listens elsewhere: another port,
another machine, only on IPv6. Loops that wait for a server to come up rarely have an end.

## How it is recognised

The thread sleeps in a beat, and between the sleeps it was heard to connect to one address, each
time with an error such as ECONNREFUSED.

## How it is proved

By a run in which something listens at that address, or in which the program is told not to
connect: it must go on. The service may still come up, so facts alone make this "likely".

## Fix

Start the service, or give the address at which it listens. In the program: an end to the tries,
and a word about each.

## References

- https://man7.org/linux/man-pages/man2/connect.2.html
- https://docs.python.org/3/library/exceptions.html#ConnectionRefusedError
"""

from hangbisect.causes._evidence import frame_row, thread_row
from hangbisect.causes._network import host_of, proxy_of, spelled
from hangbisect.causes._rows import from_afar, own_frame, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Beat, Blocker, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading

ERRORS = {
    2: "there is no such socket",
    101: "the network is unreachable",
    111: "the connection is refused",
    113: "there is no way to the host",
}
"""errno of connect on Linux: ENOENT (Unix sockets), ENETUNREACH, ECONNREFUSED, EHOSTUNREACH."""


class ConnectionRefusedRetry(Rule):
    """A beat of connects that fail."""

    code = "HB504"
    name = "connection-refused-retry"
    specificity = 45

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a sleeping thread whose connects were heard to fail."""
        for thread in suspects(reading):
            beats = refused(reading, thread)
            if beats:
                return self._found(reading, thread, beats)
        return None

    def _found(self, reading: Reading, thread: Thread, beats: tuple[Beat, ...]) -> Finding:
        beat = max(beats, key=lambda each: each.count)
        address, host = beat.address or "", host_of(reading, thread)
        proxy = proxy_of(reading.snapshot, address)
        named = f", the proxy of {proxy}," if proxy else ""
        frame = own_frame(thread)
        rows = [thread_row(reading, thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            from_afar(reading, thread),
            f"{where(thread)} connects to {spelled(address, host)}{named} again and again: each "
            f"time {ERRORS[beat.error]}.",
            blocker=Blocker(
                kind="host" if ":" in address else "file",
                id=address,
                detail={
                    "tries": beat.count,
                    "error": beat.error,
                    "others": [each.address or "" for each in beats if each is not beat],
                    "proxy": proxy or None,
                },
            ),
            evidence=(*rows, *(_row(each) for each in beats)),
            fix=Fix(
                summary=f"Start what should listen at {address}, or correct the address.",
                steps=(
                    "See what listens on this machine: ss -ltnp",
                    "Give the program the address at which the service really listens.",
                    "Give the loop an end, and let it say what it tries.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def refused(reading: Reading, thread: Thread) -> tuple[Beat, ...]:
    """Return the connects of a thread that were heard to fail, each with its address."""
    heard = reading.index.beats_of(ref_of(thread))
    connects = [beat for beat in heard if beat.call == "connect" and beat.address]
    made = {beat.address for beat in connects if beat.error == 0}
    return tuple(beat for beat in connects if beat.error in ERRORS and beat.address not in made)


def _row(beat: Beat) -> Evidence:
    shows = f"connect to {beat.address}: error {beat.error}, heard {beat.count} times"
    return Evidence(ref=f"beat:{beat.tid}", shows=shows)


cause = ConnectionRefusedRetry()
