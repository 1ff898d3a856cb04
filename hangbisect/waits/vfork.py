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
    children = _children(thread, index)
    names = " or ".join(process_words(row.pid, index) for row in children) or "a child"
    return Wait(
        thread=ref_of(thread),
        kind="vfork",
        on=Thing(kind="child", id=str(children[0].pid) if len(children) == 1 else ""),
        says=f"waits until its child by vfork, {names}, starts a program",
        holders=tuple(ThreadRef(pid=row.pid, tid=0) for row in children),
        roots=() if children else ("outside",),
        handler="none",
        evidence=(f"state D in {thread.call.name if thread.call else ''}",),
    )


def _children(thread: Thread, index: Index) -> list[Process]:
    """Return the child that the call made, or those that may be it."""
    made = thread.call.child if thread.call else None
    living = [row for row in index.children(thread.pid) if row.state not in ENDED]
    known = [row for row in living if row.pid == made]
    return known or [row for row in living if _is_copy(row, thread, index)]


def _is_copy(child: Process, thread: Thread, index: Index) -> bool:
    """Tell whether a child still is the parent's program: it shares the memory with argv."""
    parent = index.process(thread.pid)
    same = parent is not None and child.argv == parent.argv
    return same and parent is not None and child.executable == parent.executable
