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

By the facts: the guard word, one other thread inside the same function of the library as both
unwound stacks show, that thread's wait for what the first one holds, and nothing else that is
alive. Without unwound stacks or names of functions a thread might wait for itself: "likely".

## Fix

Make the first use while only one thread runs: call the function once before threads are
started. It costs nothing but has to come early enough. In the library: release the GIL around
the first use, or initialise without calling Python.

## References

- https://itanium-cxx-abi.github.io/cxx-abi/abi.html#once-ctor
- https://docs.python.org/3/c-api/init.html#non-python-created-threads
"""

from hangbisect.causes._circle import is_closed
from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._rows import own_frame, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Certainty, Finding, Fix, Thread
from hangbisect.waits import Reading, Wait

INLINED = " (inlined)"
"""What the stack reader adds to a function that has no frame of its own."""


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
            circle = reading.chain_of(ref_of(thread)).back_to == ref_of(thread)
            if wait and guarded and circle and ref_of(thread) in reading.dead:
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
            _certainty(reading, thread, wait, other),
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


def _initialiser(reading: Reading, wait: Wait) -> Thread | None:
    """Return the one other thread that is inside the library, None if it is not clear which."""
    return reading.index.thread(wait.holders[0]) if len(wait.holders) == 1 else None


def _certainty(reading: Reading, thread: Thread, wait: Wait, other: Thread | None) -> Certainty:
    """Both inside one and the same function, in a closed circle of the dead, leave no doubt."""
    theirs = _functions(other, wait.on.id) if other else ()
    mine = _functions(thread, wait.on.id)
    same = bool(mine) and mine[-1] in theirs and mine.count(mine[-1]) == 1
    sure = same and is_closed(reading, thread)
    return "proved" if sure and reading.hung and reading.alone else "likely"


def _functions(thread: Thread, library: str) -> tuple[str, ...]:
    """Name the functions of the library on an unwound stack, outermost first, where it has names.

    A function that is there twice may wait for itself.
    """
    return tuple(
        frame.symbol.removesuffix(INLINED)
        for frame in thread.native
        if frame.library == library and frame.symbol
    )


cause = StaticGuardDeadlock()
