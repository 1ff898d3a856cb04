"""A named pipe is opened or read, and nobody is at its other end.

## What happens

Opening a FIFO for reading waits until somebody opens it for writing, and the other way round. The
peer never comes.

## Why

The peer was not started, has ended, or opened another path. A control pipe whose path comes from
a variable, or a FIFO that lies where a plain file was expected, are the usual forms.

## How it is recognised

The thread is blocked in open (or in a read) of a path that is a FIFO, and no process is seen with
the other end open.

## How it is proved

By a run in which the path is another file, or in which the other end is opened. The facts alone
cannot rule out that somebody still comes, so this stays "likely".

## Fix

Start the peer first, or set the path to a plain file or /dev/null. Opening with O_NONBLOCK, or
with both ends (O_RDWR on Linux), does not wait, but then an absent peer is noticed later.

## References

- https://man7.org/linux/man-pages/man7/fifo.7.html
"""

from hangbisect.causes._evidence import call_row, path_row, thread_row
from hangbisect.causes._rows import from_afar, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Thread
from hangbisect.model._struct import Data
from hangbisect.waits import Reading

OPENS = {"open": 1, "openat": 2}
"""Which argument of the call holds the flags."""
READS = ("read", "readv")
ACCESS, WRITE_ONLY = 3, 1
"""O_ACCMODE and O_WRONLY, the same on every Linux machine."""


class Fifo(Data, frozen=True, kw_only=True):
    """A FIFO, and how it is used."""

    path: str
    missing: str
    """"writer" or "reader"."""
    verb: str


class FifoWithoutPeer(Rule):
    """The open or read of a FIFO that has no process at its other end."""

    code = "HB403"
    name = "fifo-without-peer"
    specificity = 60

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread in the open or the read of a FIFO without a peer."""
        for thread in suspects(reading):
            fifo = _opened(reading, thread) or _read(reading, thread)
            if fifo is not None:
                return self._found(reading, thread, fifo)
        return None

    def _found(self, reading: Reading, thread: Thread, fifo: Fifo) -> Finding:
        fact = reading.index.path(fifo.path)
        return self.finding(
            from_afar(reading, thread),
            f"The named pipe {fifo.path}, {fifo.verb} at {where(thread)}, has no {fifo.missing}: "
            f"no process has its other end open.",
            blocker=Blocker(
                kind="file",
                id=fifo.path,
                detail={"missing": fifo.missing, "age": fact.age if fact else None},
            ),
            evidence=(
                thread_row(reading, thread),
                call_row(thread),
                *((path_row(fact),) if fact else ()),
                Evidence(ref=f"path:{fifo.path}", shows=f"no {fifo.missing} of it is seen"),
            ),
            fix=Fix(
                summary=f"Start the {fifo.missing} of {fifo.path} first, or name another file.",
                steps=(
                    f"See it go on: open the other end, e.g. {_try(fifo)}",
                    "Or set the option or variable that names the path to a plain file.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _opened(reading: Reading, thread: Thread) -> Fifo | None:
    call = thread.call
    position = OPENS.get(call.name) if call else None
    if call is None or position is None or not call.path:
        return None
    fact = reading.index.path(call.path)
    if fact is None or fact.kind != "fifo" or set(fact.openers) - {thread.pid}:
        return None
    flags = call.arguments[position] if len(call.arguments) > position else 0
    missing = "reader" if flags & ACCESS == WRITE_ONLY else "writer"
    return Fifo(path=call.path, missing=missing, verb="opened")


def _read(reading: Reading, thread: Thread) -> Fifo | None:
    call = thread.call
    if call is None or call.name not in READS:
        return None
    fds = call.descriptors or call.arguments[:1]
    end = reading.index.descriptor(thread.pid, fds[0]) if fds else None
    if end is None or end.kind != "fifo" or end.inherited:
        return None
    writers = {row.pid for row in reading.index.ends_of(end.inode, "w", end.device)}
    if writers - {thread.pid}:
        return None
    return Fifo(path=end.target, missing="writer", verb="read")


def _try(fifo: Fifo) -> str:
    return f"`cat {fifo.path}`" if fifo.missing == "reader" else f"`: > {fifo.path}`"


cause = FifoWithoutPeer()
