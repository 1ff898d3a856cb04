"""A command that the program started does not end, and the program waits for it.

## What happens

The program waits for a child process (wait, communicate, check_output), and the child, or the
last of a row of children, is stuck or sleeps.

## Why

Packages run helpers while they are imported: a driver query, a compiler, git, a hardware probe.
If such a helper hangs, everything above it does, and says nothing.

## How it is recognised

The thread waits for a child's end, or reads a pipe that the child holds, and the child lives.
Children of children are followed to the last one, the leaf: that is the patient. If the leaf
waits for one of those above it, this is not the cause but one side of a circle.

## How it is proved

By a run of the leaf's command alone, under a time limit, or with a stub first on PATH: facts
about the waiting process alone cannot say why the other does not end, so this is "likely" at
most.

## Fix

Run the leaf's command by hand to see it hang, and cure that. In the program: a time limit on the
call, which costs the helper's answer where it would have come late, or an option that skips the
query.

## References

- https://docs.python.org/3/library/subprocess.html#subprocess.run
- https://man7.org/linux/man-pages/man2/wait4.2.html
"""

from hangbisect.causes._command import name_of, short
from hangbisect.causes._evidence import process_row, thread_row
from hangbisect.causes._rows import own_frame, ref_of, source_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Process, Thread, ThreadRef
from hangbisect.waits import Reading

WAITS = ("wait4", "waitid", "waitpid")


class ChildNeverExits(Rule):
    """A wait for a child, followed to the last of a row of children."""

    code = "HB302"
    name = "child-never-exits"
    specificity = 30

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that waits for a living child of its own process."""
        for thread in suspects(reading):
            row = descent(reading, thread)
            dies = bool(row) and reading.index.is_doomed(row[-1].pid)
            if row and not dies and not _waits_above(reading, thread, row):
                return self._found(reading, thread, row)
        return None

    def _found(self, reading: Reading, thread: Thread, row: tuple[Process, ...]) -> Finding:
        leaf = row[-1]
        frame = own_frame(thread)
        line = source_of(reading.snapshot, frame) if frame else ""
        names = [name_of(process, line if process is row[0] else "") for process in row]
        says = _says(reading, leaf)
        return self.finding(
            "possible" if leaf.python else "likely",
            f"{where(thread)} waits for the command {' -> '.join(names)} (pid {leaf.pid}), which "
            f"does not end: it {says}. It runs as `{short(leaf)}`.",
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
            fix=Fix(
                summary=f"Find out why {names[-1]} hangs, or keep the program from running it.",
                steps=(
                    f"Run it alone: timeout 10 {short(leaf)}",
                    "Give the call a time limit (timeout=...): its late answers are then lost.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
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
    """Return the living child that a thread waits for, by its call or by who could end its wait."""
    call = thread.call
    wait = reading.waits.get(ref_of(thread))
    pids = [ref.pid for ref in wait.holders or wait.wakers] if wait else []
    if call is not None and call.name in WAITS and call.child is not None and call.child > 0:
        pids = [call.child]
    rows = (reading.index.process(pid) for pid in pids if pid != thread.pid)
    return next((p for p in rows if p and p.parent == thread.pid and p.state not in "ZX"), None)


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
