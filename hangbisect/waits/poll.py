"""Several descriptors at once (poll, select, epoll): whoever could make any of them ready."""

from hangbisect.model import Call, Thing, Thread, ThreadRef
from hangbisect.waits._calls import POLLS, is_call
from hangbisect.waits._ends import Ends, ends_of, joined
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import process_words

ORDER = 300
SHOWN = 3


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a poll that has descriptors, and one without any that has no time limit."""
    call = thread.call
    if call is None or not is_call(thread, POLLS) or (call.timed and not call.descriptors):
        return None
    found = [_one(thread, fd, index) for fd in call.descriptors]
    ends = joined(found)
    return Wait(
        thread=ref_of(thread),
        kind="poll",
        on=Thing(kind="descriptors", id=" ".join(str(fd) for fd in call.descriptors)),
        says=_words(call, found),
        holders=ends.holders,
        wakers=ends.wakers,
        roots=ends.roots,
        beside=ends.beside,
        evidence=_evidence(thread, index),
    )


def _one(thread: Thread, fd: int, index: Index) -> Ends:
    row = index.descriptor(thread.pid, fd)
    child = thread.call.child if thread.call else None
    if row is not None and row.kind == "pidfd" and child is not None and index.process(child):
        says = f"the end of {process_words(child, index)}"
        return Ends(holders=(ThreadRef(pid=child, tid=0),), says=says)
    if row is None:
        return Ends(roots=("outside",), says=f"descriptor {fd}", seen=False)
    return ends_of(thread, row, index)


def _words(call: Call, found: list[Ends]) -> str:
    if not found:
        return f"waits in {call.name} for no descriptor at all"
    says = list(dict.fromkeys(end.says for end in found))
    more = f" or {len(says) - SHOWN} more" if len(says) > SHOWN else ""
    return f"polls {' or '.join(says[:SHOWN])}{more}"


def _evidence(thread: Thread, index: Index) -> tuple[str, ...]:
    fds = thread.call.descriptors if thread.call else ()
    rows = [row for fd in fds if (row := index.descriptor(thread.pid, fd)) is not None]
    return tuple(f"descriptor {row.fd} is {row.target}" for row in rows[:SHOWN])
