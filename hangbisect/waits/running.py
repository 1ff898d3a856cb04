"""A thread that is on a processor, or wants one: it waits for nothing."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 30


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise state R, and a thread that was in no system call."""
    if thread.state != "R" and not (thread.call and thread.call.name == "running"):
        return None
    frame = thread.frames[-1] if thread.frames else None
    place = f" in {frame.function}, line {frame.line}" if frame else ""
    return Wait(
        thread=ref_of(thread),
        kind="running",
        on=Thing(kind="processor", id=""),
        says=f"runs{place}",
        roots=("running",),
        interruptible=False,
        evidence=(f"state {thread.state}",),
    )
