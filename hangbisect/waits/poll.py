"""Several descriptors at once (poll, select, epoll): whoever could make any of them ready."""

from hangbisect.model import Call, Thing, Thread
from hangbisect.waits._calls import POLLS, is_call
from hangbisect.waits._ends import Ends, ends_at, joined
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait

ORDER = 300
SHOWN = 3


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a poll that has descriptors, and one without any that has no time limit."""
    call = thread.call
    if call is None or not is_call(thread, POLLS) or (call.timed and not call.descriptors):
        return None
    found = [ends_at(thread, fd, index) for fd in call.descriptors]
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
