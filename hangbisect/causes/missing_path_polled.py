"""The program looks again and again for a file that does not exist.

## What happens

The program sleeps, looks whether a path is there, and sleeps again, without an end of its own.
Nobody makes the file.

## Why

Processes meet over files: a rendezvous, a port file, a marker that a download or the first rank
is done. If the other side was not started, died, or uses another folder, the file never
appears. A typing mistake in an option or a variable looks the same.

## How it is recognised

A thread sleeps in a beat, and what it was heard to ask for between the sleeps is a path that is
not there. Arguments and environment variables that hold the path, or the folder it lies in, are
named.

## How it is proved

By a run in which the path exists; the facts alone cannot rule out that somebody still makes it,
so this stays "likely", and "possible" where the path is only known from a variable of the code.

## Fix

Start the side that makes the file, or set the option or variable to the path that it really
uses. Making an empty file by hand shows whether that is it, but may be taken for a real one.

## References

- https://pytorch.org/docs/stable/distributed.html#shared-file-system-initialization
"""

from hangbisect.causes._evidence import path_row, thread_row
from hangbisect.causes._rows import from_afar, path_locals, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Beat, Blocker, Evidence, Finding, Fix, PathFact, Thread
from hangbisect.waits import Reading

ENOENT, ENOTDIR = 2, 20
"""errno: no such file, and no such folder on the way to it."""


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
