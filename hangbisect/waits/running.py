"""A thread that is on a processor, or wants one: it waits for nothing."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._spin import is_spin
from hangbisect.waits._wait import Wait

ORDER = 30


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise state R, and a thread that was in no system call."""
    if thread.state != "R" and not (thread.call and thread.call.name == "running"):
        return None
    return Wait(
        thread=ref_of(thread),
        kind="running",
        on=Thing(kind="processor", id=""),
        says=_says(thread, index),
        roots=("running",),
        handler="none",
        evidence=(f"state {thread.state}",),
    )


def _says(thread: Thread, index: Index) -> str:
    repeat = index.repeat_of(ref_of(thread))
    if repeat is not None and is_spin(repeat):
        return f"spins: the same {repeat.states} machine states come again"
    frame = thread.frames[-1] if thread.frames else None
    return f"runs in {frame.function}, line {frame.line}" if frame else "runs"
