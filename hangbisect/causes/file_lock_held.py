"""Another process, or this one itself, holds the lock on a file.

## What happens

The program takes a lock on a file (flock, fcntl, lockf, `filelock`), and another process has it.
A blocking call sleeps in the kernel; a polling one tries, sleeps, and tries again.

## Why

A second run, a build, a download or a forgotten notebook holds the lock of the same cache. The
system gives such a lock back when its holder ends, so the holder is alive (or a child inherited
the descriptor). Locks on network file systems may be held on another machine.

## How it is recognised

The thread is blocked in flock or in fcntl's waiting form, or is heard to repeat one that fails
with EAGAIN. The system's lock table names the holders.

## How it is proved

By the facts only where the holder is known and can never let go, which includes the program
itself with a second descriptor. Otherwise the holder may yet end: "likely". A run with the lock
in another folder must pass.

## Fix

End or wait for the holder, or give this run a cache folder of its own, which costs what the cache
saves. Removing the file does not free it: the next run would lock another file of the same name.
A program that locks the file itself, through another descriptor, must open it once, or unlock it
before it locks it again.

## References

- https://man7.org/linux/man-pages/man2/flock.2.html
- https://man7.org/linux/man-pages/man5/proc_locks.5.html
"""

from hangbisect.causes._command import short
from hangbisect.causes._evidence import process_row, thread_row
from hangbisect.causes._rows import from_afar, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Certainty, Evidence, FileLock, Finding, Fix, Thread
from hangbisect.model._struct import Data
from hangbisect.waits import Reading

WAITING_FORMS = (7, 38)
"""fcntl's F_SETLKW and F_OFD_SETLKW on Linux."""
REFUSED = (11, 13)
"""errno EAGAIN and EACCES: somebody else has the lock."""
CALLS = ("flock", "fcntl", "fcntl64")


class Locked(Data, frozen=True, kw_only=True):
    """A file whose lock is wanted."""

    path: str
    holders: tuple[int, ...]
    polled: bool


class FileLockHeld(Rule):
    """A wait for a lock on a file, with who holds it."""

    code = "HB402"
    name = "file-lock-held"
    specificity = 55

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that waits for, or polls, the lock on a file."""
        for thread in suspects(reading):
            locked = _blocking(reading, thread) or _polling(reading, thread)
            if locked is not None:
                return self._found(reading, thread, locked)
        return None

    def _found(self, reading: Reading, thread: Thread, locked: Locked) -> Finding:
        rows = [row for pid in locked.holders if (row := reading.index.process(pid))]
        who = _who(reading, thread, locked)
        fact = reading.index.path(locked.path)
        own = set(locked.holders) == {thread.pid}
        said = ", through another opening of the file" if own else ""
        return self.finding(
            _certainty(reading, thread, locked),
            f"The lock on {locked.path}, wanted at {where(thread)}, is held by {who}{said}.",
            blocker=Blocker(
                kind="file",
                id=locked.path,
                detail={
                    "holders": [str(pid) for pid in locked.holders],
                    "commands": [short(row) for row in rows],
                    "file_system": fact.filesystem if fact else None,
                },
            ),
            evidence=(
                thread_row(reading, thread),
                Evidence(ref=f"lock:{locked.path}", shows=f"held by {who}"),
                *map(process_row, rows),
            ),
            fix=_fix_own(thread, locked) if own else _fix(locked),
            chain=reading.chain_of(ref_of(thread)),
        )


def _fix(locked: Locked) -> Fix:
    return Fix(
        summary=f"Wait for the holder of {locked.path}, end it, or use another cache.",
        steps=(
            f"See what the holder waits for: hangbisect attach {locked.holders[0]}"
            if locked.holders
            else f"See who holds it: fuser -v {locked.path}",
            "Or point this run's cache to another folder (it starts empty).",
        ),
    )


def _fix_own(thread: Thread, locked: Locked) -> Fix:
    return Fix(
        summary=f"Release the lock on {locked.path} before {where(thread)} takes it again.",
        steps=(
            "Or open the file once, and lock it through that one file only.",
            "If another thread holds it: let that thread release it (LOCK_UN, or close).",
        ),
    )


def _blocking(reading: Reading, thread: Thread) -> Locked | None:
    call = thread.call
    if call is None or call.name not in CALLS or not call.arguments:
        return None
    if call.name != "flock" and (len(call.arguments) < 2 or call.arguments[1] not in WAITING_FORMS):
        return None
    descriptor = reading.index.descriptor(thread.pid, call.arguments[0])
    rows: tuple[FileLock, ...] = ()
    if descriptor is not None:
        rows = reading.index.locks_on(descriptor.inode, descriptor.device)
    rows = rows or reading.index.locks_awaited_by(thread.pid)
    path = descriptor.target if descriptor else rows[0].path if rows else f"fd {call.arguments[0]}"
    return Locked(path=path, holders=_holders(rows), polled=False)


def _polling(reading: Reading, thread: Thread) -> Locked | None:
    for beat in reading.index.beats_of(ref_of(thread)):
        if beat.call in CALLS and beat.error in REFUSED and beat.path:
            rows = reading.index.locks_at(beat.path)
            return Locked(path=beat.path, holders=_holders(rows), polled=True)
    return None


def _holders(rows: tuple[FileLock, ...]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(pid for row in rows for pid in row.holders))


def _who(reading: Reading, thread: Thread, locked: Locked) -> str:
    if not locked.holders:
        return "nobody who is seen here (perhaps on another machine or in another container)"
    names = []
    for pid in locked.holders:
        row = reading.index.process(pid)
        name = f"process {pid}" + (f" (`{short(row)}`)" if row else "")
        names.append("this very process" if pid == thread.pid else name)
    return ", ".join(names)


def _certainty(reading: Reading, thread: Thread, locked: Locked) -> Certainty:
    if not locked.holders:
        return "possible"
    dead = ref_of(thread) in reading.dead and ref_of(thread) == reading.blamed
    if dead and not locked.polled and set(locked.holders) == {thread.pid}:
        return "proved"
    return from_afar(reading, thread)


cause = FileLockHeld()
