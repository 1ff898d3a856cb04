"""Something is waited for that nobody is left to signal.

## What happens

A thread waits without a time limit in a queue, event, condition, barrier, future, semaphore or
lock, and there is nobody who could ever put, set, notify, complete or release it.

## Why

The thread that should have done so was never started, has ended early (often by an exception that
only its own thread saw), or waits itself. A queue that is read at module level before its
producer is started is the plainest case; a barrier with one party too many is another.

## How it is recognised

The stack names the object (the frames of `queue`, `threading`, `concurrent.futures`), the wait
has no deadline, no signal handler could end it, and every thread that could is dead, or there is
none.

## How it is proved

By the facts, when nothing else of the target's tree is alive and no other Python thread is left
in the process that could have been about to signal. If another thread is stuck elsewhere, that
one may be the real cause, and this is only "likely".

## Fix

Start the producer before the wait, or give the wait a time limit and report the failure. A time
limit costs nothing while all is well; it does not cure the missing signal but names it.

## References

- https://docs.python.org/3/library/queue.html
- https://docs.python.org/3/library/threading.html#threading.excepthook
"""

from hangbisect.causes._circle import is_idle
from hangbisect.causes._evidence import frame_row, thread_row
from hangbisect.causes._rows import own_frame, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.causes._sync import Awaited, awaited
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading


class NeverSignalled(Rule):
    """A wait in a Python object that ends in nobody."""

    code = "HB103"
    name = "never-signalled"
    specificity = 20

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a dead thread in a wait for a known kind of object."""
        for thread in suspects(reading):
            dead = ref_of(thread) in reading.dead
            found = awaited(reading, thread) if dead else None
            if found is not None:
                return self._found(reading, thread, found)
        return None

    def _found(self, reading: Reading, thread: Thread, found: Awaited) -> Finding:
        others = _others(reading, thread)
        frame = own_frame(thread)
        rows = [thread_row(reading, thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            _certainty(reading, thread, others, found),
            f"Nobody is left who {found.missing} ({found.id}) that {where(thread)} waits for: "
            f"{_who(others)}.",
            blocker=Blocker(
                kind="lock",
                id=found.id,
                detail={
                    "object": found.kind,
                    "waits": f"{frame.file}:{frame.line}" if frame else None,
                    "others": [f"{row.tid} {row.name}".strip() for row in others],
                },
            ),
            evidence=(*rows, _census(thread, others)),
            fix=Fix(
                summary=f"Start whoever {found.missing} before {where(thread)} waits for it.",
                steps=(
                    "Check that the thread that should signal was started and did not fail.",
                    "Give the wait a time limit and report it when it passes: that costs nothing.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _others(reading: Reading, thread: Thread) -> tuple[Thread, ...]:
    rows = reading.index.threads_of(thread.pid)
    return tuple(row for row in rows if row.tid != thread.tid)


def _certainty(
    reading: Reading, thread: Thread, others: tuple[Thread, ...], found: Awaited
) -> Certainty:
    """Nobody left at all is proof; somebody who is stuck elsewhere may be the real cause.

    Only the blamed thread's own wait is judged so: further down a chain it stays "likely".
    """
    if not reading.alone or ref_of(thread) != reading.blamed:
        return "likely"
    same = all(is_idle(row) or awaited(reading, row) == found for row in others)
    return "proved" if same and found.kind != "lock" else "likely"


def _who(others: tuple[Thread, ...]) -> str:
    if not others:
        return "the process has no other thread"
    if len(others) == 1:
        return f"its only other thread, {others[0].tid}, waits for ever too"
    return f"its {len(others)} other threads wait for ever too"


def _census(thread: Thread, others: tuple[Thread, ...]) -> Evidence:
    listed = ", ".join(str(row.tid) for row in others) or "no other thread"
    return Evidence(ref=f"process:{thread.pid}", shows=f"besides thread {thread.tid}: {listed}")


cause = NeverSignalled()
