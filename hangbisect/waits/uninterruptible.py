"""A thread that the kernel holds in state D: storage, a driver, a frozen file system."""

from hangbisect.model import Thing, Thread
from hangbisect.waits._calls import call_words
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 50


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise state D where no more special kind did."""
    if thread.state != "D":
        return None
    call = thread.call
    path = _path(thread, index)
    words = f" in {call_words(call)}" if call and call.name else ""
    of = f" of {path}" if path and call and not call.path else ""
    return Wait(
        thread=ref_of(thread),
        kind="uninterruptible",
        on=Thing(kind="path" if path else "kernel", id=path or (call.name if call else "")),
        says=f"is held by the kernel{words}{of}, and no signal reaches it",
        roots=("outside",),
        handler="none",
        evidence=("state D (uninterruptible)",),
    )


def _path(thread: Thread, index: Index) -> str:
    call = thread.call
    if call is None:
        return ""
    rows = [index.descriptor(thread.pid, fd) for fd in call.descriptors]
    targets = [row.target for row in rows if row and row.target.startswith("/")]
    return call.path or (targets[0] if targets else "")
