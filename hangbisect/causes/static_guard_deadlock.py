"""A static variable in C++ is initialised by a thread that needs what its waiter holds.

## What happens

Two threads reach the same static variable within a function of a native library. The first one
initialises it, the second one waits for that. The initialiser needs something that the second
thread holds, most often Python's global lock (GIL), and neither goes on.

## Why

The compiler guards the first use of such a variable by a lock of its own that nobody sees in
the source. A library that calls back into Python while it initialises, and that is entered once
with the GIL and once without, takes the two locks in opposite order.

## How it is recognised

A dead thread waits on a word in the library's own memory that reads as a guard of the C++
runtime with waiters, and the wait chain leads back to that thread.

## How it is proved

By the facts: the guard word, exactly one other thread inside the same library as its unwound
stack shows, that thread's wait for something that the first one holds, and nothing else that is
alive. If the stack could not be unwound, or several threads are in the library, it is "likely".

## Fix

Make the first use while only one thread runs: call the function once before threads are
started. It costs nothing but has to come early enough. In the library: release the GIL around
the first use, or initialise without calling Python.

## References

- https://itanium-cxx-abi.github.io/cxx-abi/abi.html#once-ctor
- https://docs.python.org/3/c-api/init.html#non-python-created-threads
"""

from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._rows import own_frame, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Certainty, Finding, Fix, Thread
from hangbisect.waits import Reading, Wait


class StaticGuardDeadlock(Rule):
    """A circle through the guard of a static variable."""

    code = "HB203"
    name = "static-guard-deadlock"
    specificity = 85

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a dead thread at a guard whose chain comes back to it."""
        for thread in suspects(reading):
            wait = reading.waits.get(ref_of(thread))
            guarded = wait is not None and wait.kind == "static-guard"
            if wait and guarded and ref_of(thread) in reading.dead and _is_circle(reading, thread):
                return self._found(reading, thread, wait)
        return None

    def _found(self, reading: Reading, thread: Thread, wait: Wait) -> Finding:
        library = wait.on.id
        other = _initialiser(reading, wait)
        theirs = reading.waits.get(ref_of(other)) if other else None
        who = f"thread {other.tid}" if other else "another thread"
        wants = f", which {theirs.says}" if theirs else ""
        frame = own_frame(thread)
        rows = [thread_row(reading, thread), call_row(thread)]
        rows += [thread_row(reading, other)] if other else []
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            _certainty(reading, wait, other),
            f"{library}: {where(thread)} waits for a static variable of it that {who} is "
            f"initialising{wants}.",
            blocker=Blocker(
                kind="library",
                id=library,
                detail={"waits": thread.tid, "initialises": other.tid if other else None},
            ),
            evidence=rows,
            fix=Fix(
                summary=f"Use {library.rpartition('/')[2]} once before any thread is started.",
                steps=(
                    f"Make the call of {where(thread)} in the main thread first: costs nothing.",
                    "Report it to the library's authors: they must let go of the GIL there.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _is_circle(reading: Reading, thread: Thread) -> bool:
    return reading.chain_of(ref_of(thread)).back_to == ref_of(thread)


def _initialiser(reading: Reading, wait: Wait) -> Thread | None:
    """Return the one other thread that is inside the library, None if it is not clear which."""
    return reading.index.thread(wait.holders[0]) if len(wait.holders) == 1 else None


def _certainty(reading: Reading, wait: Wait, other: Thread | None) -> Certainty:
    """An unwound stack and a circle of dead threads, with nothing else alive, leave no doubt."""
    sure = other is not None and any(row.library == wait.on.id for row in other.native)
    return "proved" if sure and reading.hung and reading.alone else "likely"


cause = StaticGuardDeadlock()
