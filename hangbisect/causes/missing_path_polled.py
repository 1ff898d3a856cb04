"""The program looks again and again for a file that does not exist.

## What happens

The program sleeps, looks whether a path is there, and sleeps again, without an end of its own.
Nobody makes the file. Or it tries itself to make it, is refused, and tries again.

## Why

Processes meet over files: a rendezvous, a port file, a marker that a download or the first rank
is done. If the other side was not started, died, or uses another folder, the file never
appears. A typing mistake in an option or a variable looks the same. A cache on a file system
that is mounted read-only, is full, or belongs to somebody else refuses each try.

## How it is recognised

A thread sleeps in a beat, and what it was heard to ask for between the sleeps is a path that is
not there, or that it may not make or open: the error of each try is given. Arguments and
environment variables that hold the path, or the folder it lies in, are named.

## How it is proved

By a run in which the path exists; the facts alone cannot rule out that somebody still makes it,
so this stays "likely", and "possible" where the path is only known from a variable of the code.

## Fix

Start the side that makes the file, or set the option or variable to the path that it really
uses. Making an empty file by hand shows whether that is it, but may be taken for a real one.
Where the path is refused, point the program's cache to a folder that it may write to.

## References

- https://pytorch.org/docs/stable/distributed.html#shared-file-system-initialization
"""

from os.path import dirname

from hangbisect.causes._evidence import path_row, thread_row
from hangbisect.causes._rows import from_afar, path_locals, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Beat, Blocker, Evidence, Finding, Fix, PathFact, Thread
from hangbisect.waits import Reading

ENOENT, ENOTDIR = 2, 20
"""errno: no such file, and no such folder on the way to it."""
REFUSED = {
    1: "it is not allowed (EPERM)",
    13: "the permission is denied (EACCES)",
    21: "a folder is in its place (EISDIR)",
    28: "no space is left (ENOSPC)",
    30: "the file system is read-only (EROFS)",
    122: "the quota is used up (EDQUOT)",
}
"""errno on Linux of a path that may not be made or opened, in words."""
MAKES = (
    *("open", "openat", "openat2", "creat", "mkdir", "mkdirat", "mknod", "mknodat"),
    *("link", "linkat", "symlink", "symlinkat", "rename", "renameat", "renameat2"),
)
"""Calls that make or open what they name."""


class MissingPathPolled(Rule):
    """A beat of sleeps around a path that does not exist."""

    code = "HB404"
    name = "missing-path-polled"
    specificity = 45

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a polling thread and the path that it misses."""
        for thread in suspects(reading):
            wait = reading.waits.get(ref_of(thread))
            if wait is None or wait.kind != "poll-beat" or wait.on.kind != "path":
                continue
            fact = reading.index.path(wait.on.id)
            if refusals := _refusals(reading, thread):
                return self._refused(reading, thread, refusals)
            if fact is not None and fact.exists is False:
                return self._found(reading, thread, fact)
        return None

    def _found(self, reading: Reading, thread: Thread, fact: PathFact) -> Finding:
        beat = _beat(reading, thread, fact.path)
        named = _named_by(reading, thread, fact)
        given = f" (given by {', '.join(named)})" if named else ""
        return self.finding(
            from_afar(reading, thread) if beat else "possible",
            f"{fact.path}{given} is looked for again and again at {where(thread)}, and does not "
            "exist.",
            blocker=Blocker(
                kind="file", id=fact.path, detail={"named_by": list(named), "mount": fact.mount}
            ),
            evidence=(
                thread_row(reading, thread),
                path_row(fact),
                *((_heard(beat),) if beat else ()),
            ),
            fix=Fix(
                summary=f"Start whoever makes {fact.path}, or name the path that is really made.",
                steps=(
                    f"Check {named[0]}." if named else "Look where the code takes the path from.",
                    f"See whether that is all: touch {fact.path} (remove it afterwards).",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )

    def _refused(self, reading: Reading, thread: Thread, refusals: tuple[Beat, ...]) -> Finding:
        path, error = _refused_path(refusals), refusals[0].error
        fact = reading.index.path(path)
        return self.finding(
            from_afar(reading, thread),
            f"{path} is tried again and again at {where(thread)}, and each time {REFUSED[error]}.",
            blocker=Blocker(
                kind="file",
                id=path,
                detail={"error": error, "mount": fact.mount if fact else None},
            ),
            evidence=(
                thread_row(reading, thread),
                *([path_row(fact)] if fact else []),
                *map(_heard, refusals[:3]),
            ),
            fix=Fix(
                summary=f"Let the program write elsewhere, or make {path} writable.",
                steps=(
                    "Point its cache to a folder that it may write to (it starts empty).",
                    f"See what refuses: touch {path}; findmnt -T {dirname(path)}",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _refusals(reading: Reading, thread: Thread) -> tuple[Beat, ...]:
    """Return the calls that were heard to be refused, most often first; none if one was not."""
    beats = [beat for beat in reading.index.beats_of(ref_of(thread)) if beat.call in MAKES]
    made = {beat.path for beat in beats if beat.error == 0}
    refused = [beat for beat in beats if beat.path and beat.error in REFUSED]
    found = [beat for beat in refused if beat.path not in made]
    return tuple(sorted(found, key=lambda beat: -beat.count))


def _refused_path(refusals: tuple[Beat, ...]) -> str:
    """Name what is refused: the path, or the folder where each try has a new name."""
    paths = {beat.path or "" for beat in refusals}
    folders = {dirname(path) for path in paths}
    return folders.pop() if len(paths) > 1 and len(folders) == 1 else refusals[0].path or ""


def _beat(reading: Reading, thread: Thread, path: str) -> Beat | None:
    beats = reading.index.beats_of(ref_of(thread))
    return next((b for b in beats if b.path == path and b.error in (ENOENT, ENOTDIR)), None)


def _heard(beat: Beat) -> Evidence:
    return Evidence(
        ref=f"beat:{beat.tid}",
        shows=f"{beat.call}({beat.path}) again and again, errno {beat.error}",
    )


def _named_by(reading: Reading, thread: Thread, fact: PathFact) -> tuple[str, ...]:
    """Say which variables and arguments lead to the path."""
    process = reading.index.process(thread.pid)
    words = process.argv[1:] if process else ()
    arguments = [word for word in words if word.rpartition("=")[2] == fact.path]
    own = next((local for local in path_locals(thread) if local == fact.path), None)
    return (
        *(f"the variable {name}" for name in fact.variables),
        *(f"the argument {word}" for word in arguments),
        *(("a local variable there",) if own and not fact.variables and not arguments else ()),
    )


cause = MissingPathPolled()
