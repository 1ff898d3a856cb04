"""The program loads something from the network.

## What happens

Nothing hangs: bytes arrive, and the program waits for the rest.

## Why

Model weights, data sets and tokenizers are fetched at their first use, gigabytes of them, often
without a progress bar where the output is no terminal.

## How it is recognised

Bytes were read while it was looked at, and the main thread waits for a connection on which
bytes have arrived. It was said to take long by `--within` or by who looked.

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
from hangbisect.causes._network import Connection, connections, host_of, spelled
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Descriptor, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading

READS = "bytes read"


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
        found = _arriving(reading, main)
        return self._found(reading, main, found) if found else None

    def _found(self, reading: Reading, main: Thread, found: Connection) -> Finding:
        address, host = found.socket.remote, host_of(reading, main)
        file = _file(reading, main.pid)
        into = f" into {file.target}" if file else ""
        return self.finding(
            "likely",
            f"{step_words(step_of(reading))} loads from {spelled(address, host)}{into}: "
            f"{found.socket.received} bytes have arrived.",
            blocker=Blocker(
                kind="host",
                id=address,
                detail={
                    "host": host or None,
                    "received": found.socket.received,
                    "file": file.target if file else None,
                },
            ),
            evidence=(
                call_row(main),
                Evidence(
                    ref=f"descriptor:{main.pid}:{found.row.fd}",
                    shows=f"a socket to {address}, {found.socket.received} bytes received",
                ),
            ),
            fix=Fix(
                summary="Wait: bytes arrive.",
                steps=(
                    "Fetch the files beforehand, and run in the library's offline mode.",
                    "Keep the folder of the cache between runs.",
                ),
            ),
            chain=reading.chain,
        )


def _arriving(reading: Reading, main: Thread) -> Connection | None:
    """Return the connection that has brought most of those that the thread waits for."""
    found = [each for each in connections(reading, main) if each.socket.received]
    writes = main.call is not None and main.call.writes
    return None if writes or not found else max(found, key=lambda one: one.socket.received or 0)


def _file(reading: Reading, pid: int) -> Descriptor | None:
    """Return the file that is open for writing, where there is only one."""
    rows = reading.index.descriptors_of(pid)
    files = [row for row in rows if row.kind == "file" and "w" in row.mode and not row.inherited]
    own = [row for row in files if not row.target.endswith((".log", ".dump"))]
    return own[0] if len(own) == 1 else None


cause = Downloading()
