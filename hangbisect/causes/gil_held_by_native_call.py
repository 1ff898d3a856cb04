"""A native call keeps Python's lock while it waits for a thread that needs that lock.

## What happens

An extension is called, or is being initialised, with the GIL held. It waits in native code: it
joins a thread, or takes a mutex. The thread it waits for wants to run Python code, and waits for
the GIL. Every other Python thread, signal handlers included, waits as well.

## Why

Native code must release the GIL (`Py_BEGIN_ALLOW_THREADS`) before it waits for anything that may
need Python. A logger thread that calls back into Python, joined in `PyInit_...`, is the usual
form.

## How it is recognised

One thread waits in a library's native code for another thread, without releasing the GIL; that
other thread waits for the GIL. Or it waits for a mutex that it took itself, and others wait for
the GIL meanwhile.

## How it is proved

By the facts, when the wait names the other thread (a native join, or a mutex that stores its
owner), that thread waits for the GIL, nobody else could wake either, and an unwound stack names
the library.

## Fix

Switch off what makes the library start its thread, or call the function outside of start-up. The
library's own cure is to release the GIL around the wait. Using one thread costs the speed of the
others.

## References

- https://docs.python.org/3/c-api/init.html#thread-state-and-the-global-interpreter-lock
- https://pybind11.readthedocs.io/en/stable/advanced/misc.html#global-interpreter-lock-gil
"""

from hangbisect.causes._evidence import call_row, thread_row
from hangbisect.causes._rows import (
    own_frame,
    place,
    ref_of,
    suspects,
)
from hangbisect.causes._rule import Rule
from hangbisect.causes._stack import Guilty, guilty
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Thread, ThreadRef
from hangbisect.waits import Reading


class GilHeldByNativeCall(Rule):
    """The circle: the holder of the GIL waits natively for a thread that waits for the GIL."""

    code = "HB107"
    name = "gil-held-by-native-call"
    specificity = 70

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a native wait in front of a thread that waits for the GIL."""
        for holder in suspects(reading):
            library = guilty(holder, reading.index.process(holder.pid))
            waiter = _waiter(reading, holder)
            if library is not None and waiter is not None and not library.constructor:
                return self._found(reading, holder, waiter, library)
        return None

    def _found(self, reading: Reading, holder: Thread, waiter: Thread, library: Guilty) -> Finding:
        count = sum(_wants_gil(reading, row) for row in reading.index.threads_of(holder.pid))
        return self.finding(
            _certainty(reading, holder, waiter, library),
            _sentence(reading, holder, waiter, library),
            blocker=Blocker(
                kind="library",
                id=library.library,
                detail={
                    "function": _symbol(holder, library),
                    "holder": holder.tid,
                    "waits_for_gil": waiter.tid,
                    "waiting_for_gil": count,
                },
            ),
            evidence=(
                thread_row(reading, holder),
                call_row(holder),
                thread_row(reading, waiter),
                Evidence(
                    ref=f"thread:{holder.tid}",
                    shows=f"innermost library of its native stack: {library.library}",
                ),
            ),
            fix=_fix(reading, holder, library),
            chain=reading.chain_of(ref_of(holder)),
        )


def _sentence(reading: Reading, holder: Thread, waiter: Thread, library: Guilty) -> str:
    call = f"{library.library} waits in a native call (from {place(own_frame(holder))})"
    if _is_own(reading, holder):
        return (
            f"{call} for a mutex that the same thread has taken already; it keeps Python's global "
            f"lock (GIL), for which thread {waiter.tid} waits."
        )
    return (
        f"{call} for thread {waiter.tid} and keeps Python's global lock (GIL), which that thread "
        "needs to go on."
    )


def _fix(reading: Reading, holder: Thread, library: Guilty) -> Fix:
    name = library.library.rpartition("/")[2]
    if _is_own(reading, holder):
        return Fix(
            summary=f"Report it to the authors of {name}: it takes a mutex twice in one thread.",
            steps=(
                "Look for a call, an option or a variable of the package that avoids that path.",
                "In the library: release the mutex first, or make it a recursive one.",
            ),
        )
    return Fix(
        summary=f"Keep {name} from starting that thread "
        "during start-up, or report it to its authors: it must release the GIL to wait.",
        steps=(
            "Look for an option or variable of the package that turns the thread off.",
            "In the library: wrap the wait in Py_BEGIN_ALLOW_THREADS.",
        ),
    )


def _is_own(reading: Reading, holder: Thread) -> bool:
    """Tell whether the holder waits for a mutex of which it is itself the owner."""
    named = _named(reading, holder)
    return named is not None and ref_of(named) == ref_of(holder)


def _waiter(reading: Reading, holder: Thread) -> Thread | None:
    """Return the GIL waiter that the holder waits for: the one it names, else one that it may."""
    if holder.call is None or holder.call.name in ("", "running") or not _may_hold(reading, holder):
        return None
    wait = reading.waits.get(ref_of(holder))
    if wait is None or wait.kind == "loader-lock":  # the loader's lock closes that circle
        return None
    named = _named(reading, holder)
    if _is_own(reading, holder):
        rows = (row for row in reading.index.threads_of(holder.pid) if row.tid != holder.tid)
        return next((row for row in rows if _wants_gil(reading, row)), None)
    if named is not None:
        return named if _wants_gil(reading, named) else None
    if holder.gil != "holds" or wait.roots:
        return None
    others = (reading.index.thread(ref) for ref in wait.wakers if ref.pid == holder.pid)
    return next((row for row in others if row is not None and _wants_gil(reading, row)), None)


def _may_hold(reading: Reading, thread: Thread) -> bool:
    """Tell whether a thread holds the GIL: it is seen to, or nobody else of the process can."""
    if thread.gil is not None or _wants_gil(reading, thread):
        return thread.gil == "holds"
    others = [row for row in reading.index.threads_of(thread.pid) if row.tid != thread.tid]
    return all(_wants_gil(reading, row) for row in others)


def _named(reading: Reading, holder: Thread) -> Thread | None:
    """Return the thread that the futex word itself names: joined, or the owner of a mutex."""
    word = holder.call.word if holder.call else None
    tid = (word.joins or word.owner) if word else None
    return reading.index.thread(ThreadRef(pid=holder.pid, tid=tid)) if tid else None


def _wants_gil(reading: Reading, thread: Thread) -> bool:
    wait = reading.waits.get(ref_of(thread))
    return wait is not None and wait.kind == "gil"


def _certainty(reading: Reading, holder: Thread, waiter: Thread, library: Guilty) -> Certainty:
    named = _named(reading, holder) is not None
    dead = {ref_of(holder), ref_of(waiter)} <= reading.dead
    return "proved" if named and dead and library.sure else "likely"


def _symbol(thread: Thread, library: Guilty) -> str | None:
    names = [f.symbol for f in reversed(thread.native) if f.library == library.library and f.symbol]
    return names[0] if names else None


cause = GilHeldByNativeCall()
