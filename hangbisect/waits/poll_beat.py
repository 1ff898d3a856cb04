"""A loop that sleeps and looks at a path or an address again: whoever may provide or remove it."""

from hangbisect.model import Beat, Call, Thing, Thread, ThreadRef
from hangbisect.model._struct import Data
from hangbisect.waits._calls import POLLS, SLEEPS, call_words, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait, unique
from hangbisect.waits._words import holders_words

ORDER = 310
LONGEST_BEAT = 30.0
"""Seconds; a longer sleep is not taken for the pause of a polling loop."""
NEAR = 2
"""How many of the innermost frames may name what is polled."""
ENOENT = 2
"""No such file or directory: 2 on every system (errno(3))."""
REFUSALS = (1, 28, 30, 122)
"""EPERM, ENOSPC, EROFS, EDQUOT on Linux; EACCES of a lock says that somebody holds it."""


class Polled(Data, frozen=True, kw_only=True):
    """What is looked at between two sleeps, and how that is known."""

    kind: str
    id: str
    evidence: str
    missing: bool = False
    refused: bool = False


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a short sleep between calls that were heard, or in a frame that names a path."""
    call = thread.call
    if call is None or call.descriptors or not is_call(thread, (*SLEEPS, *POLLS)):
        return None
    if call.interval is not None and call.interval > LONGEST_BEAT:
        return None
    polled = _heard(thread, index) or _named(thread, index)
    return _wait(thread, polled, index) if polled else None


def _wait(thread: Thread, polled: Polled, index: Index) -> Wait:
    holders = _holders(thread, polled, index)
    words = holders_words(holders, thread, index, ("has", "have"))
    held = f", which {words} open or locked" if holders else ""
    return Wait(
        thread=ref_of(thread),
        kind="poll-beat",
        on=Thing(kind=polled.kind, id=polled.id),
        says=f"{_act(polled)} again and again {_state(polled)}{held}, and sleeps in between",
        holders=holders,
        roots=() if holders else ("timer",),
        beside=("timer",),
        end=None if holders else "nobody" if polled.kind == "path" else "outside",
        evidence=(polled.evidence,),
    )


def _heard(thread: Thread, index: Index) -> Polled | None:
    """Choose among the calls that were listened to: connects that fail, then the most frequent."""
    beats = [beat for beat in index.beats_of(ref_of(thread)) if beat.path or beat.address]
    if not beats:
        return None
    beat = max(beats, key=lambda beat: (bool(beat.address and beat.error), beat.count))
    return Polled(
        kind="path" if beat.path else "address",
        id=beat.path or beat.address or "",
        evidence=_beat_words(beat),
        missing=_is_missing(beat.path, index) or beat.error == ENOENT,
        refused=beat.path is not None and beat.error in REFUSALS,
    )


def _named(thread: Thread, index: Index) -> Polled | None:
    """Take the nearest path of the innermost frames of which facts are known."""
    if thread.still:
        return None
    for frame in reversed(thread.frames[-NEAR:]):
        for local in frame.locals:
            if local.text and index.path(local.text):
                said = f"`{local.name}` of {frame.function} is {local.text}"
                missing = _is_missing(local.text, index)
                return Polled(kind="path", id=local.text, evidence=said, missing=missing)
    return None


def _holders(thread: Thread, polled: Polled, index: Index) -> tuple[ThreadRef, ...]:
    """Name other processes that have the path open or hold a lock on it."""
    if polled.kind != "path":
        return ()
    fact = index.path(polled.id)
    openers = fact.openers if fact else ()
    locking = [pid for lock in index.locks_at(polled.id) for pid in lock.holders]
    pids = unique([*locking, *openers])
    return tuple(ThreadRef(pid=pid, tid=0) for pid in pids if pid != thread.pid)


def _is_missing(path: str | None, index: Index) -> bool:
    fact = index.path(path)
    return fact is not None and fact.exists is False


def _act(polled: Polled) -> str:
    return "tries" if polled.refused else "looks"


def _state(polled: Polled) -> str:
    if polled.refused:
        return f"to use {polled.id}, is refused"
    if polled.kind == "address":
        return f"at {polled.id}"
    return f"for {polled.id}, which does not exist" if polled.missing else f"at {polled.id}"


def _beat_words(beat: Beat) -> str:
    call = call_words(Call(name=beat.call, path=beat.path or beat.address))
    result = f"error {beat.error}" if beat.error else "success"
    return f"{call}: {result}, {beat.count} times"
