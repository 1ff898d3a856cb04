"""A stopped thread: by a signal, a tracer or a frozen control group. Somebody outside did it."""

from hangbisect.model import Process, Thing, Thread
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._signals import signal_name
from hangbisect.waits._wait import Wait

ORDER = 10


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise what is stopped, whatever call it is in."""
    process = index.process(thread.pid)
    frozen = process is not None and process.frozen
    if thread.state not in ("T", "t") and not frozen:
        return None
    by, how = _why(thread, process)
    return Wait(
        thread=ref_of(thread),
        kind="stop",
        on=Thing(kind="stop", id=by),
        says=how,
        roots=("outside",),
        handler="none",
        evidence=(f"state {thread.state}",),
    )


def _why(thread: Thread, process: Process | None) -> tuple[str, str]:
    """Return what stopped it, and the sentence."""
    if process is None:
        return "unknown", "is stopped"
    if thread.state == "t":
        tracer = f"process {process.tracer}" if process.tracer else "a debugger"
        return "tracer", f"is stopped under {tracer} that traces it"
    if thread.state == "T" and process.stop_signal:
        name = signal_name(process.stop_signal)
        return name, f"was stopped by {name} and not continued"
    if process.frozen:
        return "cgroup", "is frozen: its control group was stopped"
    return "signal", "was stopped by a signal and not continued"
