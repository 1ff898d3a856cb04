"""A library's constructor waits for a thread that needs the loader's lock.

## What happens

Loading a library (an import of an extension, `ctypes.CDLL`) never returns. The library's
constructor waits for a thread that it has started, and that thread loads or looks up something
itself.

## Why

While constructors run, the dynamic loader holds its lock, and gives it back only when all have
returned. A thread that calls dlopen or dlsym, or ends with thread-local destructors, waits for
that lock. A second form takes two locks in opposite order: one thread has the GIL and wants the
loader lock, another is in the loader and wants the GIL.

## How it is recognised

A thread waits for a lock in the loader's own data. That lock names its owner, and the owner is a
thread whose wait chain leads back to the waiter.

## How it is proved

By the facts, when the lock names its owner, the owner's wait names the waiter (a native join, a
mutex with its owner, the GIL), nobody else could wake either, and an unwound stack names the
library. Loading the library with LD_PRELOAD, before the lock is ever taken, makes the circle
vanish.

## Fix

Stop the library from starting its thread at load time (an option, a variable, one thread). A
stop-gap: LD_PRELOAD of the library, whose constructor then runs first; it is then loaded into
every child too.

## References

- https://man7.org/linux/man-pages/man3/dlopen.3.html
- https://sourceware.org/glibc/wiki/DynamicLinker
- https://github.com/numpy/numpy/issues/31284
"""

from hangbisect.causes._evidence import call_row, thread_row
from hangbisect.causes._rows import own_frame, place, ref_of
from hangbisect.causes._rule import Rule
from hangbisect.causes._stack import Guilty, guilty
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Thread, ThreadRef
from hangbisect.waits import Reading


class LoaderLockDeadlock(Rule):
    """The circle: the loader's owner waits for a thread, the thread waits for the loader."""

    code = "HB201"
    name = "loader-lock-deadlock"
    specificity = 90

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread at the loader lock, and for an owner that waits for that thread."""
        for waiter in reading.index.threads_of(reading.blamed.pid):
            owner = loader_owner(reading, waiter)
            if owner is None or not _leads_to(reading, owner, waiter):
                continue
            library = _library(reading, owner, waiter)
            if library is not None:
                return self._found(reading, owner, waiter, library)
        return None

    def _found(self, reading: Reading, owner: Thread, waiter: Thread, library: Guilty) -> Finding:
        role = "constructor" if library.constructor else "code"
        at = place(own_frame(owner)) if owner.frames else "native code"
        return self.finding(
            _certainty(reading, owner, waiter, library),
            f"The {role} of {library.library}, loaded from {at}, waits for thread {waiter.tid}, "
            "which needs the loader lock that is held until the load ends.",
            blocker=Blocker(
                kind="library",
                id=library.library,
                detail={
                    "owner": owner.tid,
                    "waiter": waiter.tid,
                    "waiter_library": _waiter_library(reading, waiter),
                },
            ),
            evidence=(
                thread_row(reading, owner),
                call_row(owner),
                thread_row(reading, waiter),
                Evidence(
                    ref=f"thread:{waiter.tid}",
                    shows=f"its lock lies in the loader's data and names thread {owner.tid}",
                ),
                Evidence(
                    ref=f"thread:{owner.tid}", shows=f"on its native stack: {library.library}"
                ),
            ),
            fix=Fix(
                summary="Keep the library from starting its thread while it is loaded.",
                steps=(
                    "Look for an option or variable of the package that turns the thread off.",
                    f"Stop-gap: LD_PRELOAD={library.library} (its children load it too).",
                ),
                change={"LD_PRELOAD": library.library},
            ),
            chain=reading.chain_of(ref_of(owner)),
        )


def loader_owner(reading: Reading, waiter: Thread) -> Thread | None:
    """Return the owner of the loader lock that a thread waits for, None if it waits for none."""
    word = waiter.call.word if waiter.call else None
    if word is None or word.region != "loader" or word.owner is None:
        return None
    return reading.index.thread(ThreadRef(pid=waiter.pid, tid=word.owner))


def _leads_to(reading: Reading, owner: Thread, waiter: Thread) -> bool:
    """Tell whether the owner waits for the waiter, directly or along its chain."""
    if owner.tid == waiter.tid:
        return False
    return _names(owner, waiter) or ref_of(waiter) in reading.chain_of(ref_of(owner)).threads


def _names(owner: Thread, waiter: Thread) -> bool:
    """Tell whether the owner's own wait names the waiter: a join, a mutex, or the GIL it holds."""
    word = owner.call.word if owner.call else None
    if word is None:
        return False
    gil = owner.gil == "waits" and waiter.gil == "holds"
    return waiter.tid in (word.joins, word.owner) or gil


def _library(reading: Reading, owner: Thread, waiter: Thread) -> Guilty | None:
    """Name the library that is being loaded: on the owner's stack, else on the waiter's."""
    process = reading.index.process(owner.pid)
    return guilty(owner, process) or guilty(waiter, process)


def _waiter_library(reading: Reading, waiter: Thread) -> str | None:
    found = guilty(waiter, reading.index.process(waiter.pid))
    return found.library if found else None


def _certainty(reading: Reading, owner: Thread, waiter: Thread, library: Guilty) -> Certainty:
    dead = {ref_of(owner), ref_of(waiter)} <= reading.dead
    known = library.sure and (library.constructor or waiter.gil == "holds")
    if dead and _names(owner, waiter) and known:
        return "proved"
    return "likely" if dead or _names(owner, waiter) else "possible"


cause = LoaderLockDeadlock()
