"""A forked child waits for a thread that exists only in its parent.

## What happens

The program forked while it had several threads. The child has only the thread that forked, and
waits for a lock, a pool or a thread of the others, which were not copied with it.

## Why

fork copies memory, with all locks as they are, and one single thread. OpenMP and BLAS keep a
pool of threads after their first use, and a child that uses them again waits for that pool.
DataLoader workers, multiprocessing with its "fork" start method, and tokenizers are the usual
places.

## How it is recognised

A process runs the same program with the same command line as its parent, and has its parent's
open files, so it did not start another program. It has one thread, that thread waits in private
memory where only another thread of the process could wake it, and the parent has several
threads. Without files in common it may be a program that started itself again: "possible".

## How it is proved

By the facts, when the memory that is waited on names a thread of the parent, as the owner of a
mutex or as the one to be joined, and nothing else is alive. Otherwise the child might wait for
itself, and this is "likely"; a run with the start method "spawn" tells.

## Fix

Use the start method "spawn" or "forkserver", which costs the start of an interpreter. Or keep
the library from having threads at the time of the fork: one thread by its variable
(OMP_NUM_THREADS=1, TOKENIZERS_PARALLELISM=false), or its first use in the children only.

## References

- https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods
- https://man7.org/linux/man-pages/man2/fork.2.html
- https://gcc.gnu.org/bugzilla/show_bug.cgi?id=58378
"""

from hangbisect.causes._evidence import call_row, frame_row, process_row, thread_row
from hangbisect.causes._forked import copied_from, shares_descriptors
from hangbisect.causes._rows import from_afar, own_frame, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.causes._stack import guilty
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Process, Thread
from hangbisect.waits import Reading


class ForkAfterThreads(Rule):
    """A dead wait in a copy that has fewer threads than its original."""

    code = "HB301"
    name = "fork-after-threads"
    specificity = 75

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for the only thread of a forked child, in a wait that only others could end."""
        for thread in suspects(reading):
            parent = copied_from(reading, thread.pid)
            if parent is not None and _is_left_alone(reading, thread, parent):
                return self._found(reading, thread, parent)
        return None

    def _found(self, reading: Reading, thread: Thread, parent: Process) -> Finding:
        guilt = guilty(thread, reading.index.process(thread.pid))
        library = guilt.library if guilt else ""
        count = len(reading.index.live(parent.pid))
        frame = own_frame(thread)
        rows = [thread_row(reading, thread), call_row(thread), process_row(parent)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            _certainty(reading, thread, parent),
            f"The forked child {thread.pid} waits at {where(thread)}"
            f"{f' in {library}' if library else ''} for a thread that only its parent "
            f"{parent.pid} has: fork copied one of its {count} threads.",
            blocker=Blocker(
                kind="library" if library else "process",
                id=library or str(thread.pid),
                detail={"child": thread.pid, "parent": parent.pid, "threads_of_parent": count},
            ),
            evidence=(
                *rows,
                Evidence(
                    ref=f"process:{thread.pid}",
                    shows=f"one thread, the command line of its parent, which has {count}",
                ),
            ),
            fix=Fix(
                summary='Start children with the method "spawn" instead of by fork, or fork '
                "before the library has threads.",
                steps=(
                    'multiprocessing.set_start_method("spawn"); in a DataLoader: '
                    'multiprocessing_context="spawn".',
                    "Or one thread before the fork: OMP_NUM_THREADS=1, or the library's own "
                    "variable; it then computes on one core.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _is_left_alone(reading: Reading, thread: Thread, parent: Process) -> bool:
    """Tell whether a thread is its process's only one and waits for what no other can end."""
    word = thread.call.word if thread.call else None
    alone = reading.index.live(thread.pid) == (ref_of(thread),)
    private = (word is not None and word.private) or _names_parent(reading, thread, parent)
    return alone and private and ref_of(thread) in reading.dead and _had_threads(reading, parent)


def _had_threads(reading: Reading, parent: Process) -> bool:
    return len(reading.index.live(parent.pid)) > 1


def _names_parent(reading: Reading, thread: Thread, parent: Process) -> bool:
    """Tell whether the memory waited on names a thread of the parent that did not come along.

    The parent's main thread is left out: it may be the one that forked, and is here as the child.
    """
    word = thread.call.word if thread.call else None
    named = {word.owner, word.joins} if word else set()
    return any(ref.tid in named - {parent.pid} for ref in reading.index.live(parent.pid))


def _certainty(reading: Reading, thread: Thread, parent: Process) -> Certainty:
    named = _names_parent(reading, thread, parent)
    if named and reading.hung and reading.alone and ref_of(thread) == reading.blamed:
        return "proved"
    copied = named or shares_descriptors(reading, thread.pid, parent.pid)
    return from_afar(reading, thread) if copied else "possible"


cause = ForkAfterThreads()
