"""A worker process died, and its work is waited for.

## What happens

The program handed work to processes of its own and waits for the results. The workers die, at
their start or in the middle, and what they were to deliver never comes.

## Why

With the start methods "spawn" and "forkserver" each worker imports the main script again. If
the pool is made at its top level, without `if __name__ == "__main__":`, each worker fails, and
the pool starts the next one, for ever. Other workers are killed (out of memory), or crash in
native code; `multiprocessing.Pool` replaces them and forgets their task.

## How it is recognised

One process started child after child with the same command line, and all of them ended with the
same uncaught exception; or a child of the waiting process is dead, ended by a signal or with an
error, while a thread waits for something else than its end.

## How it is proved

By a run in which the worker's work is done in the main process, or with the guard in place:
facts show the deaths, but not that what is waited for was theirs alone. So this is "likely".

## Fix

Put what starts the pool below `if __name__ == "__main__":`. See the worker's own error: run its
function in the main process once (num_workers=0, or without the pool).

## References

- https://docs.python.org/3/library/multiprocessing.html#the-spawn-and-forkserver-start-methods
- https://github.com/python/cpython/issues/66587 (a killed worker's task is lost)
"""

from os.path import basename

from hangbisect.causes._evidence import frame_row, process_row, thread_row
from hangbisect.causes._rows import from_afar, own_frame, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Loss, Process, Thread
from hangbisect.waits import Reading

POOLS = ("multiprocessing", "concurrent/futures", "torch/utils/data", "joblib", "loky", "billiard")
"""Folders of code that waits for workers."""
ENDS = ("wait4", "waitid", "waitpid")


class WorkerDied(Rule):
    """Workers that die again and again, or one that is dead."""

    code = "HB305"
    name = "worker-died"
    specificity = 50

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a process that loses its children, or waits beside a dead one."""
        for thread in suspects(reading):
            loss = reading.index.loss_of(thread.pid)
            if loss is not None:
                return self._repeated(reading, _asking(reading, thread), loss)
            dead = _dead_worker(reading, thread)
            if dead is not None:
                return self._single(reading, thread, dead)
        return None

    def _repeated(self, reading: Reading, thread: Thread, loss: Loss) -> Finding:
        script = _script(reading, thread)
        return self.finding(
            "likely",
            f"{where(thread)} waits for worker processes of {script}, and {loss.count} of them "
            f"have died at their start, each with {loss.exception}.",
            blocker=Blocker(
                kind="process",
                id=f"workers of {script}",
                detail={
                    "exception": loss.exception,
                    "died": loss.count,
                    "argv": list(loss.argv),
                    "parent": loss.parent,
                },
            ),
            evidence=(
                *_rows(reading, thread),
                Evidence(
                    ref=f"process:{loss.parent}",
                    shows=f"{loss.count} children with one command line ended with "
                    f"{loss.exception}: {' '.join(loss.argv)}",
                ),
            ),
            fix=Fix(
                summary=f'Put what starts workers in {script} below `if __name__ == "__main__":`.',
                steps=(
                    "Run the worker's function once in the main process to see its error.",
                    "The guard costs nothing: workers import the script, and must not start more.",
                ),
            ),
            chain=reading.chain,
        )

    def _single(self, reading: Reading, thread: Thread, dead: Process) -> Finding:
        how = _how(dead)
        return self.finding(
            from_afar(reading, thread),
            f"{where(thread)} waits for what worker process {dead.pid} was to deliver, and that "
            f"process is dead: it {how}.",
            blocker=Blocker(
                kind="process",
                id=str(dead.pid),
                detail={"exit_status": dead.exit_status, "argv": list(dead.argv)},
            ),
            evidence=(*_rows(reading, thread), process_row(dead)),
            fix=Fix(
                summary="Find out why the worker died, and let the main process notice it.",
                steps=(
                    "Run its function in the main process (num_workers=0) to see the error.",
                    "Wait with a time limit, and look at the worker's exit code when it passes.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _asking(reading: Reading, thread: Thread) -> Thread:
    """Return the main thread of the process: a pool's helper threads wait for it as well."""
    main = reading.index.thread(reading.main)
    return main if main is not None and main.pid == thread.pid else thread


def _dead_worker(reading: Reading, thread: Thread) -> Process | None:
    """Return a child that failed, if the thread waits in code for workers and not for its end."""
    waits = thread.call is not None and thread.call.name not in ENDS
    pool = any(f"/{folder}/" in frame.file for frame in thread.frames for folder in POOLS)
    if not waits or not pool:
        return None
    children = reading.index.children(thread.pid)
    return next((row for row in children if row.state == "Z" and row.exit_status), None)


def _how(dead: Process) -> str:
    """Put a wait status in words (wait(2): the signal in the low seven bits, else the code)."""
    status = dead.exit_status or 0
    signal = status & 0x7F
    return f"was ended by signal {signal}" if signal else f"ended with status {status >> 8}"


def _script(reading: Reading, thread: Thread) -> str:
    """Name the program that the workers run again: the outermost file of the waiting stack."""
    process = reading.index.process(thread.pid)
    outer = thread.frames[0].file if thread.frames else ""
    step = process.step.file if process and process.step else ""
    return basename(outer or step) or f"process {thread.pid}"


def _rows(reading: Reading, thread: Thread) -> tuple[Evidence, ...]:
    frame = own_frame(thread)
    rows = (thread_row(reading, thread),)
    return (*rows, frame_row(reading.snapshot, thread, frame)) if frame else rows


cause = WorkerDied()
