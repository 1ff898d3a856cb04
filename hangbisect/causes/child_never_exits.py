"""A command that the program started does not end, and the program waits for it.

## What happens

The program waits for a child process (wait, communicate, check_output), and the child, or the
last of a row of children, is stuck or sleeps.

## Why

Packages run helpers while they are imported: a driver query, a compiler, git, a hardware probe.
If such a helper hangs, everything above it does, and says nothing.

## How it is recognised

The thread waits for a child's end, or reads a pipe that is the child's output (its descriptor 1
or 2, or one that `subprocess` made), and the child lives. A lock that a child holds is no such
wait.
Children of children are followed to the last one, the leaf: that is the patient. If the leaf
waits for one of those above it, this is not the cause but one side of a circle.

## How it is proved

By a run of the leaf's command alone, under a time limit, or with a stub first on PATH: facts
about the waiting process alone cannot say why the other does not end, so this is "likely" at
most.

## Fix

Run the leaf's command by hand to see it hang, and cure that. In the program: a time limit on the
call, which costs the helper's answer where it would have come late, or an option that skips the
query. A child that is a copy by fork runs no command of its own: look at what it waits for.

## References

- https://docs.python.org/3/library/subprocess.html#subprocess.run
- https://man7.org/linux/man-pages/man2/wait4.2.html
"""

from collections.abc import Iterator

from hangbisect.causes._command import name_of, short
from hangbisect.causes._evidence import process_row, thread_row
from hangbisect.causes._forked import copied_from
from hangbisect.causes._moving import is_at_work
from hangbisect.causes._rows import (
    is_frame_of,
    own_frame,
    ref_of,
    source_of,
    suspects,
    where,
)
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Process, Thread, ThreadRef
from hangbisect.waits import Reading

OUTPUTS = (1, 2)
MULTIPROCESSING = "--multiprocessing-fork"
"""An argument of what multiprocessing starts anew: it cannot run alone."""


class ChildNeverExits(Rule):
    """A wait for a child, followed to the last of a row of children."""

    code = "HB302"
    name = "child-never-exits"
    specificity = 30

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that waits for a living child of its own process."""
        for thread in suspects(reading):
            row = descent(reading, thread)
            if is_at_work(reading) and _works(reading, row):
                continue
            dies = bool(row) and reading.index.is_doomed(row[-1].pid)
            if row and not dies and not _waits_above(reading, thread, row):
                return self._found(reading, thread, row)
        return None

    def _found(self, reading: Reading, thread: Thread, row: tuple[Process, ...]) -> Finding:
        leaf = row[-1]
        frame = own_frame(thread)
        line = source_of(reading.snapshot, frame) if frame else ""
        names = [_name(reading, process, line if process is row[0] else "") for process in row]
        says = _says(reading, leaf)
        return self.finding(
            "possible" if leaf.python else "likely",
            f"{where(thread)} waits for {_whom(reading, row, names)}, which does not end: it "
            f"{says}. It runs as `{short(leaf)}`.",
            blocker=Blocker(
                kind="process",
                id=names[-1],
                detail={
                    "pid": leaf.pid,
                    "argv": list(leaf.argv),
                    "state": leaf.state,
                    "waits": says,
                    "started_at": f"{frame.file}:{frame.line}" if frame else None,
                },
            ),
            evidence=(thread_row(reading, thread), *map(process_row, row), _leaf_row(leaf, says)),
            fix=_fix(leaf, names[-1], says, runs=_is_command(reading, leaf)),
            chain=reading.chain_of(ref_of(thread)),
        )


def _works(reading: Reading, row: tuple[Process, ...]) -> bool:
    """Tell whether one of these did something while it was looked at: it is no patient then."""
    return any(pace.pid == process.pid for pace in reading.snapshot.paces for process in row)


def _is_command(reading: Reading, process: Process) -> bool:
    """Tell whether a process runs a command of its own, which could be run alone too."""
    copied = copied_from(reading, process.pid) is not None
    return not copied and MULTIPROCESSING not in process.argv


def _name(reading: Reading, process: Process, line: str) -> str:
    """Name a process by its command; a worker of the program itself has only a number."""
    return name_of(process, line) if _is_command(reading, process) else f"process {process.pid}"


def _whom(reading: Reading, row: tuple[Process, ...], names: list[str]) -> str:
    leaf, listed = row[-1], " -> ".join(names)
    if _is_command(reading, leaf):
        return f"the command {listed} (pid {leaf.pid})"
    return f"its own worker, {listed}"


def _fix(leaf: Process, name: str, says: str, *, runs: bool) -> Fix:
    if not runs:
        return Fix(
            summary=f"Find out why {name} does not end: it {says}.",
            steps=(
                f"See where it stands: py-spy dump --pid {leaf.pid}, while it still runs.",
                "Give the wait for it a time limit: it then fails instead of waiting.",
            ),
        )
    return Fix(
        summary=f"Find out why {name} hangs, or keep the program from running it.",
        steps=(
            f"Run it alone: timeout 10 {short(leaf)}",
            "Give the call a time limit (timeout=...): its late answers are then lost.",
        ),
    )


def descent(reading: Reading, thread: Thread) -> tuple[Process, ...]:
    """Return the children waited for, from the thread's own down to the leaf; empty if none."""
    row: list[Process] = []
    seen = {thread.pid}
    here: Thread | None = thread
    while here is not None:
        child = _child(reading, here)
        if child is None or child.pid in seen:
            break
        row.append(child)
        seen.add(child.pid)
        here = reading.index.thread(ThreadRef(pid=child.pid, tid=0))
    return tuple(row)


def _child(reading: Reading, thread: Thread) -> Process | None:
    """Return the living child whose end, or whose output, a thread waits for."""
    call, wait = thread.call, reading.waits.get(ref_of(thread))
    if call is None or wait is None:
        return None
    if wait.kind == "child":
        pids = [call.child] if call.child and call.child > 0 else [r.pid for r in wait.holders]
    else:
        pids = list(_writers(reading, thread))
    rows = (reading.index.process(pid) for pid in pids)
    return next((p for p in rows if p and p.parent == thread.pid and p.state not in "ZX"), None)


def _writers(reading: Reading, thread: Thread) -> Iterator[int]:
    """Yield the processes whose output, or end (a pidfd), a thread reads or polls."""
    call = thread.call
    asked = any(is_frame_of(frame, "subprocess.py") for frame in thread.frames)
    for fd in call.descriptors if call and not call.writes else ():
        row = reading.index.descriptor(thread.pid, fd)
        if row is not None and row.kind == "pidfd" and row.names:
            yield row.names
        if row is None or row.kind != "pipe" or row.mode != "r":
            continue
        ends = reading.index.ends_of(row.inode, "w", row.device)
        yield from (end.pid for end in ends if asked or end.fd in OUTPUTS)


def _waits_above(reading: Reading, thread: Thread, row: tuple[Process, ...]) -> bool:
    """Tell whether the leaf waits for one of those that wait for it."""
    above = {thread.pid, *(process.pid for process in row[:-1])}
    wait = reading.waits.get(ThreadRef(pid=row[-1].pid, tid=row[-1].pid))
    return wait is not None and any(ref.pid in above for ref in wait.wakers)


def _says(reading: Reading, leaf: Process) -> str:
    wait = reading.waits.get(ThreadRef(pid=leaf.pid, tid=leaf.pid))
    return wait.says if wait and wait.says else f"is in state {leaf.state}"


def _leaf_row(leaf: Process, says: str) -> Evidence:
    return Evidence(ref=f"thread:{leaf.pid}", shows=f"the last of the row {says}")


cause = ChildNeverExits()
