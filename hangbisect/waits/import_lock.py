"""The lock that Python holds on a module while it is being imported (importlib's _ModuleLock)."""

from collections.abc import Iterator
from itertools import zip_longest

from hangbisect.model import Frame, Thing, Thread, ThreadRef
from hangbisect.waits._calls import futex_evidence
from hangbisect.waits._futexes import is_private_futex
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._python import function_of, innermost, is_import_frame, local_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import thread_words

ORDER = 80
LOCKING = ("acquire", "__enter__", "_lock_unlock_module", "_get_module_lock")
HOLDING = ("_find_and_load", "_exec")
"""Functions that take the lock of the module `name` and hold it for what they call next."""


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise importlib's acquire; its holder is the thread that is importing that module."""
    frame = thread.frames[-1] if thread.frames else None
    if frame is None or not is_private_futex(thread):
        return None
    if not is_import_frame(frame) or function_of(frame) != "acquire":
        return None
    name = _awaited(thread)
    holders = tuple(ref for ref in _importers(name, index, thread.pid) if ref != ref_of(thread))
    held = f", held by {thread_words(holders[0], index)}" if holders else ""
    return Wait(
        thread=ref_of(thread),
        kind="import-lock",
        on=Thing(kind="module", id=name),
        says=f"waits for the import lock of {f'module {name}' if name else 'a module'}{held}",
        holders=holders,
        wakers=() if holders else index.others(thread),
        evidence=futex_evidence(thread),
    )


def _awaited(thread: Thread) -> str:
    """Return the module whose lock is waited for, "" if no frame names it."""
    for frame in innermost(thread):
        if not is_import_frame(frame):
            break
        name = _module(frame)
        if name:
            return name
    return ""


def _importers(name: str, index: Index, pid: int) -> Iterator[ThreadRef]:
    """Name the threads of a process that are importing a module and hold its lock."""
    for thread in index.threads_of(pid):
        pairs = zip_longest(thread.frames, thread.frames[1:])
        if name and any(_holds(frame, inner, name) for frame, inner in pairs):
            yield ref_of(thread)


def _holds(frame: Frame, inner: Frame | None, name: str) -> bool:
    if not is_import_frame(frame) or _module(frame) != name:
        return False
    if function_of(frame) == "_find_and_load_unlocked":
        return True
    taken = inner is not None and not (is_import_frame(inner) and function_of(inner) in LOCKING)
    return function_of(frame) in HOLDING and taken


def _module(frame: Frame) -> str:
    found = local_of(frame, "name")
    return (found.text or "") if found else ""
