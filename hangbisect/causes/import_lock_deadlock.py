"""A thread started during an import needs the module that is being imported.

## What happens

A module starts a thread while it is being imported, and waits for it (join, result, a queue). The
thread imports that same module, or something from it. The import never ends; Python reports
nothing.

## Why

While a module's body runs, the importing thread holds that module's import lock. Any other thread
that imports the module waits for the lock. Python detects a circle of import locks and breaks it,
but it cannot see a join: the circle closes through a wait that importlib knows nothing about.

## How it is recognised

One thread stands in the lock of importlib for module X. Another thread of the process has the
import of X in progress on its own stack, and its wait chain leads to the first thread.

## How it is proved

By the facts, when both threads can be woken by nobody else, both stacks name the same module, and
the wait of the importing thread is for exactly that other thread. Otherwise by a run in which the
thread is started after the import.

## Fix

Start the thread from a function that is called after the import, or import in the thread's caller
what the thread needs. It costs one explicit call. Waiting with a time limit only hides the
circle.

## References

- https://docs.python.org/3/library/threading.html
- https://docs.python.org/3/c-api/import.html
- https://github.com/python/cpython/issues/125037
"""

import re

from hangbisect.causes._evidence import frame_row, thread_row
from hangbisect.causes._rows import own_frame, place, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Frame, Snapshot, Thread
from hangbisect.waits import Reading

STARTS = re.compile(r"\.start\(|\.submit\(|start_new_thread\(|\.map\(|\.run_in_executor\(")


class ImportLockDeadlock(Rule):
    """The circle: the importer waits for a thread, the thread waits for the import."""

    code = "HB101"
    name = "import-lock-deadlock"
    specificity = 80

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread at a module's lock, and for the importer that waits for it."""
        for thread in suspects(reading):
            module = _wanted(reading, thread)
            importer = _importer(reading, thread) if module else None
            if importer is not None:
                return self._found(reading, importer, thread, module)
        return None

    def _found(self, reading: Reading, importer: Thread, thread: Thread, module: str) -> Finding:
        waits, runs = own_frame(importer), own_frame(thread)
        started = _starting_line(reading.snapshot, waits)
        by = f"started at {place(started)}" if started else f"{place(runs)} in its code"
        return self.finding(
            _certainty(reading, importer, thread),
            f"The import of module {module} waits at {where(importer)} for a thread ({by}) that "
            f"itself needs module {module}, so neither can go on.",
            blocker=Blocker(
                kind="module",
                id=module,
                detail={
                    "starts": f"{started.file}:{started.line}" if started else None,
                    "waits": f"{waits.file}:{waits.line}" if waits else None,
                    "thread": f"{runs.file}:{runs.line}" if runs else None,
                    "tid": thread.tid,
                },
            ),
            evidence=_evidence(reading, importer, thread, module),
            fix=Fix(
                summary=f"Start the thread after module {module} has been imported.",
                steps=(
                    "Move the start of the thread into a function, and call it after the import.",
                    "Or import what the thread needs before the thread is started.",
                ),
            ),
            chain=reading.chain_of(ref_of(importer)),
        )


def _wanted(reading: Reading, thread: Thread) -> str:
    """Return the module whose import lock a thread waits for, "" if it waits for none."""
    wait = reading.waits.get(ref_of(thread))
    return wait.on.id if wait and wait.kind == "import-lock" else ""


def _importer(reading: Reading, waiter: Thread) -> Thread | None:
    """Return the thread that imports the module and whose chain leads to the waiter."""
    wait = reading.waits[ref_of(waiter)]
    for ref in wait.holders:
        if ref_of(waiter) in reading.chain_of(ref).threads:
            return reading.index.thread(ref)
    return None


def _certainty(reading: Reading, importer: Thread, thread: Thread) -> Certainty:
    """It is proved if both are dead and the importer's wait can be ended by that thread alone."""
    wait = reading.waits[ref_of(importer)]
    narrow = wait.wakers == (ref_of(thread),) and not wait.roots
    dead = {ref_of(importer), ref_of(thread)} <= reading.dead
    return "proved" if narrow and dead else "likely"


def _starting_line(snapshot: Snapshot, waits: Frame | None) -> Frame | None:
    """Find the line that starts a thread, at or before the line that waits, in the same file."""
    if waits is None:
        return None
    lines = [
        line
        for file, line, text in snapshot.sources
        if file == waits.file and line <= waits.line and STARTS.search(text)
    ]
    return Frame(function=waits.function, file=waits.file, line=max(lines)) if lines else None


def _evidence(
    reading: Reading, importer: Thread, thread: Thread, module: str
) -> tuple[Evidence, ...]:
    rows = [
        thread_row(reading, importer),
        thread_row(reading, thread),
        Evidence(
            ref=f"thread:{importer.tid}", shows=f"the import of module {module} is on its stack"
        ),
        Evidence(
            ref=f"thread:{thread.tid}", shows=f"stands in importlib's lock of module {module}"
        ),
    ]
    for row in (importer, thread):
        frame = own_frame(row)
        rows += [frame_row(reading.snapshot, row, frame)] if frame else []
    return tuple(rows)


cause = ImportLockDeadlock()
