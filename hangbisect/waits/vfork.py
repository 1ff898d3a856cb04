"""A parent that the kernel holds until its vfork child starts a program or ends."""

from hangbisect.model import Process, Thing, Thread, ThreadRef
from hangbisect.waits._calls import FORKS, is_call
from hangbisect.waits._index import ENDED, Index, ref_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import process_words

ORDER = 40


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a fork-like call that does not return though its child is there."""
    if thread.state != "D" or not is_call(thread, FORKS):
        return None
    children = [row for row in index.children(thread.pid) if _is_copy(row, thread, index)]
    names = " or ".join(process_words(row.pid, index) for row in children) or "a child"
    return Wait(
        thread=ref_of(thread),
        kind="vfork",
        on=Thing(kind="child", id=str(children[0].pid) if len(children) == 1 else ""),
        says=f"waits until its child by vfork, {names}, starts a program",
        holders=tuple(ThreadRef(pid=row.pid, tid=0) for row in children),
        roots=() if children else ("outside",),
        interruptible=False,
        evidence=(f"state D in {thread.call.name if thread.call else ''}",),
    )


def _is_copy(child: Process, thread: Thread, index: Index) -> bool:
    """Tell whether a child still is the parent's program: it shares the memory with argv."""
    parent = index.process(thread.pid)
    if parent is None or child.state in ENDED:
        return False
    return child.argv == parent.argv and child.executable == parent.executable
