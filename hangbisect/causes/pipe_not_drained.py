"""A process writes into a full pipe, and who should read it does not.

## What happens

A pipe holds 64 KiB. When it is full, the writer waits until the reader takes something out, and
the reader waits for something else: for the writer's end, or for nothing that has to do with
it.

## Why

`Popen(..., stdout=PIPE)` followed by `wait()`: all goes well until the child writes more than
fits. The same between a front end and the trainer that it started: if it stops reading the
trainer's output, the trainer stops at its next print.

## How it is recognised

A thread is blocked in a write, the pipe or socket has no room left, and no process that has the
read end open reads from it.

## How it is proved

By the facts, when all processes that could read are seen, all of them are dead, and the chain
from the writer leads through a reader back to it, or the writer's own process is the only one.
If a reader is alive, or outside the program, it may still read: "likely".

## Fix

Read while waiting: `communicate()` instead of `wait()`. Or let the child write elsewhere
(stdout=DEVNULL, or a file). Both cost nothing.

## References

- https://docs.python.org/3/library/subprocess.html#subprocess.Popen.wait
- https://man7.org/linux/man-pages/man7/pipe.7.html
"""

from hangbisect.causes._circle import has_only, is_closed
from hangbisect.causes._evidence import process_row, thread_row
from hangbisect.causes._rows import from_afar, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import (
    Blocker,
    Certainty,
    Descriptor,
    Evidence,
    Finding,
    Fix,
    Thread,
    ThreadRef,
)
from hangbisect.waits import Reading

CHANNELS = ("pipe", "fifo", "socket")


class PipeNotDrained(Rule):
    """A write into a full pipe that nobody reads."""

    code = "HB303"
    name = "pipe-not-drained"
    specificity = 70

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that waits for room, and no thread that reads what it writes."""
        for thread in suspects(reading):
            end = _full_end(reading, thread)
            if end is not None and not _is_read(reading, end):
                return self._found(reading, thread, end)
        return None

    def _found(self, reading: Reading, thread: Thread, end: Descriptor) -> Finding:
        readers = _readers(reading, end)
        known = [row for pid in readers if (row := reading.index.process(pid)) is not None]
        main = reading.index.thread(reading.main)
        at = where(main) if main and thread.pid != reading.main.pid else where(thread)
        own = readers == (thread.pid,)
        said = (
            f"{where(thread)} writes to the {_name(end)}, which is full, and only this same "
            f"process {thread.pid} could read it."
            if own
            else f"Process {thread.pid} writes to the {_name(end)}, which is full, and "
            f"{_whose(readers)} does not read it; the program stands at {at}."
        )
        return self.finding(
            _certainty(reading, thread, end),
            said,
            blocker=Blocker(
                kind="pipe",
                id=end.target,
                detail={
                    "writer": thread.pid,
                    "descriptor": end.fd,
                    "readers": [str(pid) for pid in readers],
                },
            ),
            evidence=(
                thread_row(reading, thread),
                Evidence(
                    ref=f"descriptor:{end.pid}:{end.fd}", shows=f"{end.target} has no room left"
                ),
                *map(process_row, known),
                *(_waits(reading, pid) for pid in readers[:1] if not own),
            ),
            fix=_fix_own(end) if own else _fix(end, readers),
            chain=reading.chain_of(ref_of(thread)),
        )


def _fix(end: Descriptor, readers: tuple[int, ...]) -> Fix:
    return Fix(
        summary=f"Let {_whose(readers)} read the {end.kind} while it waits.",
        steps=(
            "For a child of subprocess: communicate() instead of wait().",
            "Or give the writer another output: stdout=subprocess.DEVNULL, or a file.",
        ),
    )


def _fix_own(end: Descriptor) -> Fix:
    return Fix(
        summary=f"Read the {end.kind} in another thread while this one writes to it.",
        steps=(
            "Or write less at a time than it holds, and read in between.",
            "Or keep the bytes in memory or in a file: neither is ever full.",
        ),
    )


def _full_end(reading: Reading, thread: Thread) -> Descriptor | None:
    """Return the full pipe or socket that a thread waits to write to."""
    call = thread.call
    if call is None or not call.writes or not call.descriptors:
        return None
    row = reading.index.descriptor(thread.pid, call.descriptors[0])
    if row is None or not row.full or row.kind not in CHANNELS:
        return None
    return row if row.kind != "socket" or _others(reading, row) else None  # else a host's matter


def _others(reading: Reading, end: Descriptor) -> tuple[Descriptor, ...]:
    """Return the descriptors through which this end's bytes could be read."""
    if end.kind != "socket":
        return reading.index.ends_of(end.inode, "r", end.device)
    socket = reading.index.socket(end.inode)
    return reading.index.descriptors_on(socket.peer) if socket and socket.peer else ()


def _readers(reading: Reading, end: Descriptor) -> tuple[int, ...]:
    return tuple(dict.fromkeys(row.pid for row in _others(reading, end)))


def _is_read(reading: Reading, end: Descriptor) -> bool:
    """Tell whether some thread is about to read: then it is a matter of moments."""
    ends = {(row.pid, row.fd) for row in _others(reading, end)}
    return any(
        (row.pid, fd) in ends
        for row in reading.snapshot.threads
        if row.call is not None and not row.call.writes
        for fd in row.call.descriptors
    )


def _certainty(reading: Reading, thread: Thread, end: Descriptor) -> Certainty:
    """Who waits for itself in a circle, or alone could read, leaves no other explanation."""
    own = _readers(reading, end) == (thread.pid,)
    single = own and has_only(reading, thread.pid, (ref_of(thread),))
    closed = is_closed(reading, thread) or (single and ref_of(thread) in reading.dead)
    sure = closed and reading.hung and reading.alone
    return "proved" if sure else from_afar(reading, thread)


def _name(end: Descriptor) -> str:
    return f"{end.kind} {end.inode}" if end.kind != "fifo" else f"named pipe {end.target}"


def _whose(readers: tuple[int, ...]) -> str:
    if not readers:
        return "whoever has its other end"
    more = f" (and {len(readers) - 1} more)" if len(readers) > 1 else ""
    return f"process {readers[0]}{more}"


def _waits(reading: Reading, pid: int) -> Evidence:
    wait = reading.waits.get(ThreadRef(pid=pid, tid=pid))
    says = wait.says if wait else "is outside the program, or could not be seen"
    return Evidence(ref=f"thread:{pid}", shows=f"the reader {says}")


cause = PipeNotDrained()
