"""The program loads something from the network.

## What happens

Nothing hangs: bytes arrive, and the program waits for the rest.

## Why

Model weights, data sets and tokenizers are fetched at their first use, gigabytes of them, often
without a progress bar where the output is no terminal.

## How it is recognised

Bytes were read while it was looked at, and the main thread waits for a connection on which
bytes have arrived, or a process of the tree has connections through which they arrive now. It
was said to take long by `--within` or by who looked. The rate is that of the last ten seconds
at most. How long it will take is said only where the file was given its whole length
beforehand, as some programs do; else it is not known.

## How it is proved

By a second run, which finds the files in the cache. That bytes arrive is a fact; that this is
why the start takes long is "likely".

## Fix

Wait, or fetch the files beforehand (`hf download`, a copied cache folder) and run offline
(HF_HUB_OFFLINE=1), which costs updates.

## References

- https://huggingface.co/docs/huggingface_hub/guides/download
- https://docs.python.org/3/library/urllib.request.html
"""

from hangbisect.causes._evidence import call_row
from hangbisect.causes._moving import is_at_work, main_of, step_of, step_words
from hangbisect.causes._network import connections, host_of, sockets_of, spelled
from hangbisect.causes._rates import (
    LARGE,
    UNKNOWN,
    file_written,
    moving_since,
    pace_of,
    size,
    time_left,
)
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Descriptor, Evidence, Finding, Fix, Pace, Socket, Thread
from hangbisect.waits import Reading

READS = "bytes read"
WORTH_IT = 1024.0
"""Bytes a second that arrive in a process whose main thread waits for something else."""


class Downloading(Rule):
    """A read from a connection on which bytes arrive."""

    code = "HB903"
    name = "downloading"
    specificity = 25

    def recognise(self, reading: Reading) -> Finding | None:
        """Look whether the main thread waits for a connection that has brought something."""
        main = main_of(reading)
        if main is None or not is_at_work(reading) or READS not in reading.snapshot.moving:
            return None
        found = _awaited(reading, main) or _arriving(reading)
        return self._found(reading, main, *found) if found else None

    def _found(self, reading: Reading, main: Thread, pid: int, socket: Socket) -> Finding:
        address, host = socket.remote, host_of(reading, main)
        file, pace = file_written(reading, pid), pace_of(reading, pid)
        into = f" into {file.target}" if file else ""
        received = socket.received or 0
        rate = f", {size(pace.received)}/s" if pace.seconds else ""
        return self.finding(
            "likely",
            f"{step_words(step_of(reading))} loads from {spelled(address, host)}{into}: "
            f"{size(received)} have arrived{rate}; {_left(file, pace)}.",
            blocker=Blocker(
                kind="host",
                id=address,
                detail={
                    "host": host or None,
                    "received": received,
                    "rate": pace.received if pace.seconds else None,
                    "moving_since": moving_since(reading),
                    "file": file.target if file else None,
                },
            ),
            evidence=(
                call_row(main),
                Evidence(
                    ref=f"process:{pid}",
                    shows=f"a socket to {address}, {received} bytes received{rate}",
                ),
            ),
            fix=_FIX,
            chain=reading.chain,
        )


_FIX = Fix(
    summary="Wait: bytes arrive.",
    steps=(
        "Fetch the files beforehand, and run in the library's offline mode.",
        "Keep the folder of the cache between runs.",
    ),
)


def _awaited(reading: Reading, main: Thread) -> tuple[int, Socket] | None:
    """Return the connection that has brought most of those that the thread waits for."""
    found = [each.socket for each in connections(reading, main) if each.socket.received]
    writes = main.call is not None and main.call.writes
    return None if writes or not found else (main.pid, max(found, key=_received))


def _arriving(reading: Reading) -> tuple[int, Socket] | None:
    """Return the process in which most arrives, and the connection that has brought most there."""
    pace = max(reading.snapshot.paces, key=lambda pace: pace.received, default=None)
    if pace is None or pace.received < WORTH_IT:
        return None
    found = [row for row in sockets_of(reading, pace.pid) if row.received and row.remote]
    return (pace.pid, max(found, key=_received)) if found else None


def _received(socket: Socket) -> int:
    return socket.received or 0


def _left(file: Descriptor | None, pace: Pace) -> str:
    """Estimate the rest, where the file has its whole length already."""
    if file is None or not file.size or not file.position or file.size - file.position < LARGE:
        return UNKNOWN
    return f"{size(file.size - file.position)} are missing, " + time_left(
        file.size - file.position, pace.received
    )


cause = Downloading()
