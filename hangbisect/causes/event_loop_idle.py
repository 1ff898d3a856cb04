"""An event loop waits, and nothing is registered that could ever wake it.

## What happens

`asyncio.run` (or `run_until_complete`, or `trio.run`) does not return: a coroutine awaits a
future, an event or a queue that nobody sets, and the loop has no timer, no connection and no
thread left that could.

## Why

A future was made and its `set_result` was forgotten or is on a way that was not taken; a task
that should have set it has failed unseen; a callback was handed to another loop.

## How it is recognised

The thread is in the selector of the loop without a time limit (trio: with its longest), and all
it watches is the loop's own wake-up pipe, of which nobody else has the other end.

## How it is proved

By the facts, when nothing else of the tree is alive and the process has no other Python thread
than idle workers of an executor. If another thread is stuck, the loop may wait for that one,
and this is only "likely".

## Fix

See which coroutines are waiting: `asyncio.run(main(), debug=True)` and `asyncio.all_tasks()`,
or `python -m asyncio ps PID` from Python 3.14 on. A time limit around the await
(`asyncio.timeout`) costs nothing and names the place.

## References

- https://docs.python.org/3/library/asyncio-future.html
- https://docs.python.org/3/library/asyncio-dev.html#debug-mode
"""

import re

from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._rows import (
    function_of,
    is_frame_of,
    is_standard,
    place,
    ref_of,
    source_of,
    suspects,
)
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Frame, Thread
from hangbisect.waits import Reading

POLLS = ("epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "pselect6")
ASYNCIO = re.compile(r"/asyncio/(base_events|runners)\.py$")
TRIO = re.compile(r"/trio/_core/_(run|io_epoll)\.py$")
LONGEST = 3600.0
"""Seconds: trio gives its selector a day where nothing is due."""
STARTS = re.compile(r"\b(?:run|run_until_complete|start)\(\s*(?P<name>[A-Za-z_][\w.]*)\s*[(,)]")
"""A call that runs a coroutine to its end, with the coroutine named right at its beginning."""


class EventLoopIdle(Rule):
    """A loop's selector that nobody can end."""

    code = "HB104"
    name = "event-loop-idle"
    specificity = 45

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread in a loop's selector that nothing can wake."""
        for thread in suspects(reading):
            library = _loop(thread)
            if library and _is_idle(reading, thread):
                return self._found(reading, thread, library)
        return None

    def _found(self, reading: Reading, thread: Thread, library: str) -> Finding:
        name, bare = _coroutine(reading, thread), _is_bare_future(thread)
        awaited = "a future" if bare else f"the coroutine {name}" if name else "a coroutine"
        frame = _caller(thread)
        rows = [thread_row(reading, thread), call_row(thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        stuck = _stuck(reading, thread)
        nobody = f"only thread {stuck.tid}, which is stuck itself," if stuck else "nobody"
        fds = ", ".join(str(fd) for fd in thread.call.descriptors) if thread.call else ""
        return self.finding(
            _certainty(reading, thread),
            f"{place(frame)} waits in {library} for {awaited}, and {nobody} is left who could set "
            "what is awaited: the event loop has no timer and no connection that could wake it.",
            blocker=Blocker(
                kind="lock",
                id=f"{library} future" if bare or not name else f"coroutine {name}",
                detail={
                    "coroutine": name or None,
                    "waits": f"{frame.file}:{frame.line}" if frame else None,
                },
            ),
            evidence=(
                *rows,
                Evidence(
                    ref=f"thread:{thread.tid}",
                    shows=f"the loop watches descriptors ({fds}): only its own wake-up",
                ),
            ),
            fix=Fix(
                summary=f"See what {name or 'the coroutine'} awaits, and who should set it.",
                steps=(
                    "Put a time limit around the await (asyncio.timeout): that costs nothing.",
                    "Run with debug=True, and print asyncio.all_tasks() before the wait.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _loop(thread: Thread) -> str:
    """Name the library in whose loop a thread's Python stack ends, "" if in none."""
    for frame in reversed(thread.frames[-4:]):
        file = frame.file.replace("\\", "/")
        if is_frame_of(frame, "selectors.py"):
            continue
        return "asyncio" if ASYNCIO.search(file) else "trio" if TRIO.search(file) else ""
    return ""


def _caller(thread: Thread) -> Frame | None:
    """Return the innermost frame that is neither Python's own nor the loop's."""
    outer = [f for f in thread.frames if not is_standard(f) and not TRIO.search(f.file)]
    return outer[-1] if outer else None


def _is_idle(reading: Reading, thread: Thread) -> bool:
    """Tell whether nothing but the loop's own wake-up could end its poll."""
    call = thread.call
    if call is None or call.name not in POLLS or not call.descriptors:
        return False
    if not all(_wakes_itself(reading, thread.pid, fd) for fd in call.descriptors):
        return False
    if not call.timed:
        return ref_of(thread) in reading.dead
    wait = reading.waits.get(ref_of(thread))
    long = call.interval is not None and call.interval >= LONGEST
    return long and wait is not None and set(wait.roots) <= {"timer"} and not wait.wakers


def _wakes_itself(reading: Reading, pid: int, fd: int) -> bool:
    """Tell whether a descriptor is one end of a nameless pair that only this process has."""
    row = reading.index.descriptor(pid, fd)
    if row is None or row.kind not in ("socket", "pipe", "eventfd"):
        return False
    if row.kind != "socket":
        return all(end.pid == pid for end in reading.index.descriptors_on(row.inode))
    socket = reading.index.socket(row.inode)
    if socket is None or socket.family != "unix" or socket.local or socket.remote:
        return False
    ends = reading.index.descriptors_on(socket.peer or 0)
    return bool(ends) and all(end.pid == pid for end in ends)


def _stuck(reading: Reading, thread: Thread) -> Thread | None:
    """Return another thread that may be what is awaited: one that is not an idle worker."""
    others = [row for row in reading.index.threads_of(thread.pid) if row.tid != thread.tid]
    return next((row for row in others if not _is_worker(row)), None)


def _certainty(reading: Reading, thread: Thread) -> Certainty:
    """Nobody left is proof; a thread that is stuck elsewhere is the better answer."""
    ref = ref_of(thread)
    if _stuck(reading, thread) is not None:
        return "likely" if ref == reading.blamed else "possible"
    return "proved" if reading.alone and ref == reading.blamed and ref in reading.dead else "likely"


def _is_worker(row: Thread) -> bool:
    """Tell whether a thread is an idle worker of an executor, or a native one that only waits."""
    word = row.call.word if row.call else None
    if not row.frames:
        return row.gil is None and word is not None and word.owner is None and word.joins is None
    inner = row.frames[-1]
    return is_frame_of(inner, "concurrent/futures/thread.py") and function_of(inner) == "_worker"


def _coroutine(reading: Reading, thread: Thread) -> str:
    """Name the coroutine that was started, as the source line spells it."""
    frame = _caller(thread)
    found = STARTS.search(source_of(reading.snapshot, frame)) if frame else None
    return found["name"].rpartition(".")[2] if found else ""


def _is_bare_future(thread: Thread) -> bool:
    """Tell whether the loop was given a future itself, not a coroutine."""
    return any(_is_future(frame) for frame in thread.frames[-5:])


def _is_future(frame: Frame) -> bool:
    types = [local.type.rpartition(".")[2] for local in frame.locals if local.name == "future"]
    return function_of(frame) == "run_until_complete" and types == ["Future"]


cause = EventLoopIdle()
