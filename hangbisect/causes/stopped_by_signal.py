"""The program is stopped: by a signal, a debugger, or a frozen control group.

## What happens

The process exists and has all its memory, and runs not a single instruction. It cannot even
report.

## Why

Somebody sent SIGSTOP (a job manager, a script, `kill -STOP`, the program itself) or SIGTSTP
(Ctrl-Z); a debugger or tracer holds it; or its control group was frozen (a container was paused,
a batch system suspended the job).

## How it is recognised

The process is in state T without a terminal's reason, in state t with a tracer, or its control
group is frozen.

## How it is proved

By continuing it: `kill -CONT`, detaching the tracer, thawing the group. Anybody may do so at any
time, so facts alone make it "likely".

## Fix

`kill -CONT PID`, if whoever stopped it agrees. For a tracer: detach it. For a frozen group:
unpause the container or resume the job.

## References

- https://man7.org/linux/man-pages/man7/signal.7.html
- https://man7.org/linux/man-pages/man2/ptrace.2.html
- https://docs.kernel.org/admin-guide/cgroup-v2.html (cgroup.freeze)
"""

from hangbisect.causes._command import short
from hangbisect.causes._evidence import process_row
from hangbisect.causes._rows import ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.causes._stopped import OF_TERMINAL, is_stopped, stop_signal
from hangbisect.model import Blocker, Evidence, Finding, Fix, Process, Thread
from hangbisect.model._struct import Data
from hangbisect.waits import Reading


class Stopper(Data, frozen=True, kw_only=True):
    """Who or what keeps a process from running."""

    blocker: Blocker
    by: str
    cure: str


class StoppedBySignal(Rule):
    """A stop that is not the terminal's."""

    code = "HB604"
    name = "stopped-by-signal"
    specificity = 55

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a process that is stopped, traced to a standstill, or frozen."""
        for thread in suspects(reading):
            process = reading.index.process(thread.pid)
            stopper = _stopper(reading, thread, process) if process else None
            if process is not None and stopper is not None:
                return self._found(reading, thread, process, stopper)
        return None

    def _found(
        self, reading: Reading, thread: Thread, process: Process, stopper: Stopper
    ) -> Finding:
        return self.finding(
            "likely",
            f"Process {process.pid} is stopped at {where(thread)} by {stopper.by}, and nobody has "
            "continued it.",
            blocker=stopper.blocker,
            evidence=(
                process_row(process),
                Evidence(ref=f"thread:{thread.tid}", shows=f"state {thread.state}"),
                Evidence(ref=f"process:{process.pid}", shows=f"stopped by {stopper.by}"),
            ),
            fix=Fix(summary=stopper.cure, steps=(f"See who stopped it first: {stopper.by}.",)),
            chain=reading.chain_of(ref_of(thread)),
        )


def _stopper(reading: Reading, thread: Thread, process: Process) -> Stopper | None:
    if process.frozen:
        return Stopper(
            blocker=Blocker(kind="limit", id="frozen control group", detail={"pid": process.pid}),
            by="its frozen control group",
            cure="Unpause the container, or resume the job that this process belongs to.",
        )
    if "t" in (thread.state, process.state) and process.tracer:
        return _tracer(reading, process)
    if not is_stopped(thread, process):
        return None
    signal = stop_signal(reading, thread, process)
    if signal in OF_TERMINAL:
        return None
    return Stopper(
        blocker=Blocker(
            kind="signal",
            id=signal or "SIGSTOP",
            detail={"pid": process.pid, "certain": bool(signal)},
        ),
        by=signal or "a signal (SIGSTOP or one like it)",
        cure=f"Continue it: kill -CONT {process.pid}",
    )


def _tracer(reading: Reading, process: Process) -> Stopper:
    row = reading.index.process(process.tracer)
    name = f"process {process.tracer}" + (f" (`{short(row)}`)" if row else "")
    return Stopper(
        blocker=Blocker(
            kind="process",
            id=str(process.tracer),
            detail={"tracer": short(row) if row else None, "pid": process.pid},
        ),
        by=f"its tracer, {name}",
        cure=f"Detach or continue in the debugger, process {process.tracer}.",
    )


cause = StoppedBySignal()
