"""A library's constructor, run while it is loaded, waits for something.

## What happens

Loading a library (an import of an extension, `ctypes.CDLL`) never returns, because code of the
library that the loader runs first waits: for a pipe, a socket, a lock file, a condition, a
device, or it spins.

## Why

Constructors (C `__attribute__((constructor))`, C++ global objects) run inside dlopen. The guilty
library is often not the module that was imported but one that it needs, which nobody asked for by
name.

## How it is recognised

On the native stack of the blocked thread the loader stands between the interpreter and the
library: the loader has called it. Reading from descriptor 0 there is a fault of the library, not
a question.

## How it is proved

By the facts, when an unwound stack shows the constructor and nothing alive could end its wait.
Where only words on the stack speak for it, or the wait may still end, by a load of that library
alone.

## Fix

Give the constructor what it waits for, or turn it off (an option or variable of the package).
Loading the library alone, `python -c "import ctypes; ctypes.CDLL('/path/lib.so')"`, shows the
same hang to its authors.

## References

- https://man7.org/linux/man-pages/man3/dlopen.3.html
- https://gcc.gnu.org/onlinedocs/gcc/Common-Function-Attributes.html
"""

from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._rows import (
    from_afar,
    own_frame,
    ref_of,
    suspects,
    where,
)
from hangbisect.causes._rule import Rule
from hangbisect.causes._stack import Guilty, guilty, loads_library
from hangbisect.causes.loader_lock_deadlock import loader_owner
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading


class ConstructorBlocks(Rule):
    """The loader called a library, and the library waits."""

    code = "HB202"
    name = "constructor-blocks"
    specificity = 65

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread in a library that the loader called, and no circle through its lock."""
        for thread in suspects(reading):
            library = guilty(thread, reading.index.process(thread.pid))
            if library is None or not library.constructor or not _is_load(reading, thread):
                continue
            if not _is_wanted(reading, thread):
                return self._found(reading, thread, library)
        return None

    def _found(self, reading: Reading, thread: Thread, library: Guilty) -> Finding:
        wait = reading.waits.get(ref_of(thread))
        waits = wait.says if wait and wait.says else f"is in {_call(thread)}"
        frame = own_frame(thread)
        rows = [thread_row(reading, thread), call_row(thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            _certainty(reading, thread, library),
            f"The constructor of {library.library}, which runs while {where(thread)} loads it, "
            f"does not return: it {waits}.",
            blocker=Blocker(
                kind="library",
                id=library.library,
                detail={"waits": waits, "call": _call(thread), "tid": thread.tid},
            ),
            evidence=(*rows, _stack_row(thread, library)),
            fix=Fix(
                summary="Give the constructor what it waits for, or turn it off by an option or "
                "variable of its package.",
                steps=(
                    f"Load it alone: python -c \"import ctypes; ctypes.CDLL('{library.library}')\"",
                    "Report that to its authors: a constructor must not wait.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _is_load(reading: Reading, thread: Thread) -> bool:
    """Tell a load from the end of the process, at which the loader calls libraries too."""
    process = reading.index.process(thread.pid)
    early = bool(process and process.step and process.step.kind == "before-python")
    return early or loads_library(thread)


def _is_wanted(reading: Reading, owner: Thread) -> bool:
    """Tell whether another thread waits for the loader lock, and the owner's chain leads there.

    Then the circle is the cause, and the constructor only half of it.
    """
    chain = reading.chain_of(ref_of(owner)).threads
    for row in reading.index.threads_of(owner.pid):
        found = loader_owner(reading, row)
        if found is not None and found.tid == owner.tid and ref_of(row) in chain:
            return True
    return False


def _certainty(reading: Reading, thread: Thread, library: Guilty) -> Certainty:
    dead = ref_of(thread) in reading.dead
    if dead and library.sure and ref_of(thread) == reading.blamed:
        return "proved"
    return from_afar(reading, thread)


def _call(thread: Thread) -> str:
    return thread.call.name if thread.call and thread.call.name else f"state {thread.state}"


def _stack_row(thread: Thread, library: Guilty) -> Evidence:
    source = "native stack" if library.sure else "words on the native stack"
    shows = f"{source}: the loader called {library.library}"
    return Evidence(ref=f"thread:{thread.tid}", shows=shows)


cause = ConstructorBlocks()
