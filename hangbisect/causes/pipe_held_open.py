"""The end of a pipe never comes, because somebody else still holds its write end.

## What happens

A process reads a pipe to its end. The end comes when the last write end is closed; the one who
was to write is done, but another process still has a copy of the write end, and keeps it.

## Why

Children inherit their parent's output. A command that leaves a daemon behind (`server & echo
ok`) is over at once, and the daemon keeps the pipe. The other form is a pipe to a child's input
whose write end the parent does not close before it waits for that child.

## How it is recognised

A thread reads a pipe, and those that have its write end are no children of the reader that
still run, but processes which left its tree, or a process that itself waits for the reader to
end. In the first case the read must be one to the pipe's end (`subprocess` makes such ones, and
`read()`, or a loop over the lines), or the end must be a mere inheritance: the holder's standard
output. Who reads one message waits for a writer, not for the end.

## How it is proved

By the facts in the second form: the only one who could write or close waits for the reader, and
both are dead. A daemon might still write or end, so the first form is "likely" at most.

## Fix

Start the daemon with its output elsewhere (`>/dev/null 2>&1`, stdout=DEVNULL), which costs its
messages, or put them into a file. For a child's input: close it, or use `communicate()`.

## References

- https://man7.org/linux/man-pages/man7/pipe.7.html
- https://docs.python.org/3/library/subprocess.html#subprocess.Popen.communicate
"""

import re

from hangbisect.causes._circle import is_closed
from hangbisect.causes._command import short
from hangbisect.causes._evidence import process_row, thread_row
from hangbisect.causes._rows import (
    from_afar,
    is_frame_of,
    own_frame,
    ref_of,
    source_of,
    suspects,
    where,
)
from hangbisect.causes._rule import Rule
from hangbisect.model import (
    Blocker,
    Certainty,
    Descriptor,
    Evidence,
    Finding,
    Fix,
    Process,
    Thread,
    ThreadRef,
)
from hangbisect.waits import Reading

READS = ("read", "readv", "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait")
STANDARD_STREAMS = (0, 1, 2)
TO_END = re.compile(
    r"\.read(lines)?\(\s*(-1\s*)?\)|\bfor\b.+\bin\b|communicate\(|check_output\(|getoutput\("
)
"""A source line that reads until there is no more."""


class PipeHeldOpen(Rule):
    """A read whose end is kept from coming by a holder that has nothing to do with it."""

    code = "HB304"
    name = "pipe-held-open"
    specificity = 60

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a reader of a pipe whose writers left its tree, or wait for it."""
        for thread in suspects(reading):
            for end in _read_ends(reading, thread):
                holders = _holders(reading, end)
                if holders and _is_kept(reading, thread, end, holders):
                    return self._found(reading, thread, end, holders)
        return None

    def _found(
        self, reading: Reading, thread: Thread, end: Descriptor, holders: tuple[Process, ...]
    ) -> Finding:
        first = holders[0]
        waits = _waits_for(reading, first.pid, thread.pid)
        why = "waits for the reader itself" if waits else "is no child that it waits for"
        return self.finding(
            _certainty(reading, thread, holders),
            f"The pipe {end.inode}, read at {where(thread)}, does not end: process {first.pid} "
            f"holds its write end and {why}. It runs as `{short(first)}`.",
            blocker=Blocker(
                kind="pipe",
                id=end.target,
                detail={
                    "reader": thread.pid,
                    "held_by": [str(row.pid) for row in holders],
                    "commands": [short(row) for row in holders],
                },
            ),
            evidence=(
                thread_row(reading, thread),
                *map(process_row, holders),
                *(
                    Evidence(
                        ref=f"descriptor:{row.pid}:{row.fd}", shows=f"write end of {end.target}"
                    )
                    for row in _write_ends(reading, end)
                ),
            ),
            fix=_fix(first, waits=waits),
            chain=reading.chain_of(ref_of(thread)),
        )


def _read_ends(reading: Reading, thread: Thread) -> tuple[Descriptor, ...]:
    """Return the pipes that a thread reads without a time limit, if it waits for nothing else."""
    call = thread.call
    if call is None or call.name not in READS or call.writes or call.timed:
        return ()
    rows = [reading.index.descriptor(thread.pid, fd) for fd in call.descriptors]
    ends = tuple(row for row in rows if row and row.kind == "pipe" and row.mode == "r")
    usable = len(ends) == len(rows) and not any(row.inherited for row in ends)
    return ends if usable else ()


def _write_ends(reading: Reading, end: Descriptor) -> tuple[Descriptor, ...]:
    return reading.index.ends_of(end.inode, "w", end.device)


def _holders(reading: Reading, end: Descriptor) -> tuple[Process, ...]:
    """Return the processes with a write end; none if one of them is not known."""
    pids = dict.fromkeys(row.pid for row in _write_ends(reading, end))
    rows = [reading.index.process(pid) for pid in pids]
    return tuple(row for row in rows if row) if all(rows) else ()


def _is_kept(
    reading: Reading, thread: Thread, end: Descriptor, holders: tuple[Process, ...]
) -> bool:
    """Tell whether the end of a pipe is awaited, and its holders only keep it from coming."""
    if all(_waits_for(reading, row.pid, thread.pid) for row in holders):
        return True
    inherited = all(row.fd in STANDARD_STREAMS for row in _write_ends(reading, end))
    circle = reading.chain_of(ref_of(thread)).back_to is not None
    awaited = not circle and (inherited or _reads_to_end(reading, thread))
    return awaited and all(_is_stray(reading, thread, row) for row in holders)


def _reads_to_end(reading: Reading, thread: Thread) -> bool:
    """Tell whether a thread wants all there is, by its frames or by the line where it stands."""
    frame = own_frame(thread)
    line = source_of(reading.snapshot, frame) if frame else ""
    asked = any(is_frame_of(row, "subprocess.py") for row in thread.frames)
    return asked or TO_END.search(line) is not None


def _is_stray(reading: Reading, thread: Thread, holder: Process) -> bool:
    """Tell whether a holder is not the one from whom something is to come."""
    if holder.pid == thread.pid:
        return False
    if _waits_for(reading, holder.pid, thread.pid):
        return True
    writing = any(
        row.call is not None and row.call.writes for row in reading.index.threads_of(holder.pid)
    )
    reader = reading.index.process(thread.pid)
    below = reader is not None and _is_below(reading, reader, holder.pid)
    return not writing and not below and not _is_below(reading, holder, thread.pid)


def _is_below(reading: Reading, process: Process, pid: int) -> bool:
    """Tell whether a process is a child of another one, or of its children."""
    seen: set[int] = set()
    here: Process | None = process
    while here is not None and here.pid not in seen:
        seen.add(here.pid)
        if here.parent == pid:
            return True
        here = reading.index.process(here.parent)
    return False


def _waits_for(reading: Reading, pid: int, reader: int) -> bool:
    """Tell whether a process's main thread waits for the reader to end."""
    wait = reading.waits.get(ThreadRef(pid=pid, tid=pid))
    return wait is not None and wait.kind == "child" and any(r.pid == reader for r in wait.holders)


def _certainty(reading: Reading, thread: Thread, holders: tuple[Process, ...]) -> Certainty:
    """A circle of two is proof; a daemon may still write."""
    circle = all(_waits_for(reading, row.pid, thread.pid) for row in holders)
    if circle and is_closed(reading, thread) and reading.hung and reading.alone:
        return "proved"
    return from_afar(reading, thread)


def _fix(holder: Process, *, waits: bool) -> Fix:
    if waits:
        return Fix(
            summary="Close the write end before waiting for the reader's end.",
            steps=("Use communicate(), or call stdin.close() before wait(): costs nothing.",),
        )
    return Fix(
        summary=f"Start `{short(holder)}` with its output elsewhere.",
        steps=(
            f"See it go on: end process {holder.pid}, if nothing else needs it.",
            "In the command that starts it: >/dev/null 2>&1, or a file; it then keeps no pipe.",
        ),
    )


cause = PipeHeldOpen()
