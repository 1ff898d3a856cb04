"""A child made by vfork does not start its program, and the kernel holds its parent meanwhile.

## What happens

The parent is in a state that no signal ends (D), not even SIGKILL, and its child waits for
something between vfork and exec.

## Why

After vfork the child borrows the parent's memory, so the kernel does not let the parent go on
before the child has started a program or ended. `subprocess` and posix_spawn start programs
this way. A child that opens a dead mount, changes into it, or runs code of its own keeps both.

## How it is recognised

The thread is in a fork-like call in state D, and a child of it still runs the parent's program.

## How it is proved

What the parent waits for is certain; why the child does not go on is shown by its own wait,
which something outside may still end. So this is "likely". Ending the child (never the parent:
it cannot be) lets the parent go on, and confirms it.

## Fix

End the child, and remove what it waits for. Where Python starts it: a working folder (cwd=) and
files that are on storage that answers. In a library: nothing but exec belongs behind vfork.

## References

- https://man7.org/linux/man-pages/man2/vfork.2.html
- https://docs.python.org/3/library/subprocess.html (note on vfork)
"""

from hangbisect.causes._evidence import process_row, thread_row
from hangbisect.causes._forked import copied_from
from hangbisect.causes._rows import from_afar, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.causes._stack import guilty
from hangbisect.model import Blocker, Evidence, Finding, Fix, Process, Thread, ThreadRef
from hangbisect.waits import Reading


class VforkChildStuck(Rule):
    """A parent in vfork, and the child that holds it there."""

    code = "HB307"
    name = "vfork-child-stuck"
    specificity = 80

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread held in vfork by a child that is there."""
        for thread in suspects(reading):
            child = _child(reading, thread)
            if child is not None:
                return self._found(reading, thread, child)
        return None

    def _found(self, reading: Reading, thread: Thread, child: Process) -> Finding:
        inner = reading.index.thread(ThreadRef(pid=child.pid, tid=0))
        guilt = guilty(inner, child) if inner else None
        library = guilt.library if guilt else ""
        wait = reading.waits.get(ThreadRef(pid=child.pid, tid=child.pid))
        says = wait.says if wait else f"is in state {child.state}"
        rows = [thread_row(reading, thread), process_row(child)]
        rows += [Evidence(ref=f"thread:{child.pid}", shows=f"the child {says}")]
        return self.finding(
            from_afar(reading, thread),
            f"The child {child.pid} made by vfork at {where(thread)}"
            f"{f' in {library}' if library else ''} starts no program: it {says}, and the kernel "
            "holds its parent until then.",
            blocker=Blocker(
                kind="library" if library else "process",
                id=library or str(child.pid),
                detail={"child": child.pid, "parent": thread.pid, "waits": says},
            ),
            evidence=rows,
            fix=Fix(
                summary=f"End the child {child.pid}: the parent then goes on (it cannot be ended).",
                steps=(
                    f"kill -9 {child.pid}",
                    "Look at what the child does before exec: a folder or file that does not "
                    "answer, or code of a library that belongs behind exec.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _child(reading: Reading, thread: Thread) -> Process | None:
    wait = reading.waits.get(ref_of(thread))
    if wait is None or wait.kind != "vfork" or len(wait.holders) != 1:
        return None
    pid = wait.holders[0].pid
    return reading.index.process(pid) if copied_from(reading, pid) else None


cause = VforkChildStuck()
