"""A wait for a child process to end (or to be reaped)."""

from hangbisect.model import Call, Process, Thing, Thread, ThreadRef
from hangbisect.waits._calls import CHILDREN, is_call
from hangbisect.waits._index import ENDED, Index, ref_of
from hangbisect.waits._wait import Root, Wait
from hangbisect.waits._words import process_words

ORDER = 210
ANY = -1


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise wait4 and waitid. A child that has ended, or none at all, ends the call at once."""
    call = thread.call
    if call is None or not is_call(thread, CHILDREN):
        return None
    children = _awaited(call, thread, index)
    return Wait(
        thread=ref_of(thread),
        kind="child",
        on=Thing(kind="child", id=_id(call, children)),
        says=_words(call, children, index),
        holders=tuple(ThreadRef(pid=row.pid, tid=0) for row in children),
        roots=_roots(call, children),
        evidence=(f"{call.name} for {ANY if call.child is None else call.child}",),
    )


def _awaited(call: Call, thread: Thread, index: Index) -> tuple[Process, ...]:
    """Return the children that the call is about: one, those of a process group, or all."""
    wanted = ANY if call.child is None else call.child
    children = index.children(thread.pid)
    if wanted == ANY:
        return children
    if wanted > 0:
        row = index.process(wanted)
        return (row,) if row else ()
    own = index.process(thread.pid)
    group = -wanted or (own.group if own else 0)
    return tuple(row for row in children if row.group == group)


def _roots(call: Call, children: tuple[Process, ...]) -> tuple[Root, ...]:
    if any(row.state in ENDED for row in children):
        return ("running",)
    if children:
        return ()
    return ("outside",) if call.child is None or call.child > 0 else ("running",)


def _id(call: Call, children: tuple[Process, ...]) -> str:
    if len(children) == 1:
        return str(children[0].pid)
    return str(call.child) if call.child is not None and call.child > 0 else "any"


def _words(call: Call, children: tuple[Process, ...], index: Index) -> str:
    if len(children) == 1:
        return f"waits for child {process_words(children[0].pid, index).removeprefix('process ')}"
    if children:
        return f"waits for any of its {len(children)} child processes"
    known = call.child is not None and call.child > 0
    return (
        f"waits for child {call.child}, which is not to be seen" if known else "waits for a child"
    )
