"""A lock file that a dead process left behind is polled for ever.

## What happens

The program sleeps and looks at a path in a steady beat, until that path disappears. It never
does: who made the file was killed, or crashed, before it could remove it.

## Why

A lock that consists in a file's mere existence (a baton, a pid file, O_EXCL creation) is not
given back by the system when its holder dies. `torch.utils.cpp_extension` and many caches lock
this way.

## How it is recognised

A thread sleeps in a beat, and what it asks between the sleeps is a path that exists. The path is
called like a lock, or the call is an exclusive creation. Nobody that is seen has it open or holds
a lock on it.

## How it is proved

By a run with another cache folder, which must pass; never by removing the file first. A live
builder leaves the same file, so this stays "likely", and "possible" where somebody writes beside
it or the file is younger than the wait.

## Fix

Point the cache to a fresh folder (for torch extensions: TORCH_EXTENSIONS_DIR), which costs one
build. Or make sure that no build runs, and remove exactly that file, not the whole cache.

## References

- https://github.com/pytorch/pytorch/blob/main/torch/utils/file_baton.py
- https://man7.org/linux/man-pages/man2/open.2.html (O_EXCL)
"""

import re
from collections.abc import Iterator
from os.path import basename, dirname

from hangbisect.causes._evidence import path_row, thread_row
from hangbisect.causes._rows import from_afar, path_locals, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, PathFact, Thread
from hangbisect.waits import Reading

LOCKLIKE = re.compile(
    r"(^|[._-])(lock|lck|lockfile|baton|mutex|pid|pidfile)\d*($|[._-])|lock$", re.I
)
EXISTS = 17
"""errno EEXIST: exclusive creation of a file that is there."""


class StaleLockFile(Rule):
    """A beat of sleeps around a path that exists and that nobody holds."""

    code = "HB401"
    name = "stale-lock-file"
    specificity = 50

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a polling thread and a lock-like path that nobody has open."""
        for thread in suspects(reading):
            for path in _polled(reading, thread):
                fact = reading.index.path(path)
                if fact is not None and _is_left(reading, thread, fact):
                    return self._found(reading, thread, fact)
        return None

    def _found(self, reading: Reading, thread: Thread, fact: PathFact) -> Finding:
        age = f", {fact.age:.0f} s old," if fact.age is not None else ""
        beats = [b for b in reading.index.beats_of(ref_of(thread)) if b.path == fact.path]
        return self.finding(
            _certainty(reading, thread, fact),
            f"The lock file {fact.path}{age} is polled at {where(thread)}, but nobody alive is "
            "seen to hold it: it was probably left by a process that died.",
            blocker=Blocker(
                kind="file",
                id=fact.path,
                detail={"age": fact.age, "size": fact.size, "held_by": []},
            ),
            evidence=(
                thread_row(reading, thread),
                path_row(fact),
                *(
                    Evidence(
                        ref=f"beat:{beat.tid}",
                        shows=f"{beat.call}({beat.path}) again and again, errno {beat.error}",
                    )
                    for beat in beats[:1]
                ),
            ),
            fix=_fix(fact.path),
            chain=reading.chain_of(ref_of(thread)),
        )


def _polled(reading: Reading, thread: Thread) -> Iterator[str]:
    """Yield the lock-like paths that a sleeping thread asks for: as heard, else from its locals."""
    call = thread.call
    if call is None or not call.timed:
        return
    beats = reading.index.beats_of(ref_of(thread))
    for beat in beats:
        if beat.path and (beat.error == EXISTS or (beat.error == 0 and _is_locklike(beat.path))):
            yield beat.path
    if not any(beat.path for beat in beats):
        yield from filter(_is_locklike, path_locals(thread))


def _is_locklike(path: str) -> bool:
    return bool(LOCKLIKE.search(basename(path)))


def _is_left(reading: Reading, thread: Thread, fact: PathFact) -> bool:
    """Tell whether a path is there and nobody but the poller itself has to do with it."""
    there = fact.exists is True and fact.kind in ("file", "directory", "link", "unknown")
    others = set(fact.openers) - {thread.pid}
    held = any(lock.holders for lock in reading.index.locks_at(fact.path))
    return there and not others and not held


def _certainty(reading: Reading, thread: Thread, fact: PathFact) -> Certainty:
    snapshot = reading.snapshot
    quiet = None if snapshot.quiet_since is None else snapshot.taken - snapshot.quiet_since
    younger = fact.age is not None and quiet is not None and fact.age + 2.0 < quiet
    folder = dirname(fact.path) + "/"
    busy = any(
        row.target.startswith(folder) and "w" in row.mode and row.pid != thread.pid
        for row in snapshot.descriptors
    )
    return "possible" if younger or busy else from_afar(reading, thread)


def _fix(path: str) -> Fix:
    return Fix(
        summary=f"Use a fresh cache folder, or remove {path} once no other run is using it.",
        steps=(
            "Narrow and safe: point the program's cache to a new folder (costs one build).",
            f"Or, after checking that no build or download runs: rm {path}",
        ),
    )


cause = StaleLockFile()
