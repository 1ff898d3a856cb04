"""The Python stacks of every process of the tree: who reads them, and what happens when nobody can.

Each process is handed on as soon as it was read, since a later one may block for ever.
"""

from collections.abc import Iterator
from pathlib import PurePath

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.host.pythons import is_in, pythons
from hangbisect.host.rights import refusal, traced
from hangbisect.host.stackscan import sleepers
from hangbisect.model import Facts, Gap, Local, Thread
from hangbisect.watch import stacks_pyspy, stacks_pystack
from hangbisect.watch._digest import key_of
from hangbisect.watch._locals import is_unread
from hangbisect.watch._names import completed, has_garbled, without_garbled
from hangbisect.watch.stack_error import StackError


def stacks(question: Question, *, native: bool) -> Iterator[Facts]:
    """Read the stacks of every Python process in the tree.

    Args:
        question: The tree, and what of it to leave out.
        native: Read native frames too, which stops each process by ptrace for a moment; a process
            with a thread in uninterruptible sleep, stopped or traced is refused, with a Gap.

    Yields:
        For each process the threads with frames, native and gil filled; without `native` also their
        digests, and threads of which only `libraries` is known.
    """
    for pid in pythons(question):
        if native:
            yield _native(pid)
        else:
            yield _passive(pid, key_of(question))
            yield Facts(threads=tuple(sleepers(pid)))


def _native(pid: int) -> Facts:
    what = f"native stacks of process {pid}"
    refused = traced(pid, pid, what) or _unstoppable(pid, what)
    if refused is not None:
        return Facts(gaps=(refused,))
    try:
        return _completed(pid, stacks_pystack.read(pid, native=True))
    except StackError:
        pass  # perhaps only for its locals, which the passive look has
    try:
        threads = stacks_pystack.read(pid, native=True, with_locals=False)
    except StackError as error:
        return Facts(gaps=(refusal(pid, what, str(error)),))
    return Facts(threads=tuple(msgspec.structs.replace(thread, frames=()) for thread in threads))


def _unstoppable(pid: int, what: str) -> Gap | None:
    """Refuse where a debugger's stop would wait for ever, or disturb a stop that is not its own."""
    if is_in(pid, "D"):
        why = "a thread of it is in uninterruptible sleep: whoever attached would block with it"
        return Gap(what=what, why=why, remedy="Look again when the thread is out of the kernel.")
    if is_in(pid, "Tt"):
        return Gap(what=what, why="it is stopped", remedy="Continue it, then look again.")
    return None


def _passive(pid: int, key: bytes) -> Facts:
    try:
        return _completed(pid, stacks_pystack.read(pid, native=False, key=key))
    except StackError as error:
        return _fallback(pid, str(error))


def _fallback(pid: int, reason: str) -> Facts:
    """Read by py-spy, and say what that costs."""
    try:
        threads = stacks_pyspy.read(pid)
    except StackError as error:
        return _bare(pid, f"{reason}; {error}")
    named = _named(pid, tuple(thread for thread in threads if thread.tid))
    gap = Gap(
        what=f"waiting for the GIL, native and unnamed threads in process {pid}",
        why=f"its stacks were read by py-spy, which does not tell them ({reason})",
        remedy="Install pystack (Linux) in hangbisect's environment, or update it.",
    )
    return msgspec.structs.replace(named, gaps=(gap, *named.gaps))


def _bare(pid: int, reason: str) -> Facts:
    """Read by pystack without locals, and say what that costs."""
    try:
        threads = stacks_pystack.read(pid, native=False, with_locals=False)
    except StackError:
        return Facts(gaps=(refusal(pid, f"Python stacks of process {pid}", reason),))
    named = _named(pid, threads)
    identity = refusal(pid, f"the identity of locks in process {pid}", reason)
    return msgspec.structs.replace(named, gaps=(identity, *named.gaps))


def _completed(pid: int, threads: tuple[Thread, ...]) -> Facts:
    """Take from py-spy the names, frames and strings that pystack could not read.

    It is asked each time: of a frame that pystack leaves out nothing is seen.
    """
    try:
        others = stacks_pyspy.read(pid)
    except StackError:  # what stays unread is seen in the text of locals, and said of names
        return _named(pid, threads)
    return _named(pid, tuple(_better(completed(thread, others), others) for thread in threads))


def _named(pid: int, threads: tuple[Thread, ...]) -> Facts:
    """Hand on the stacks without what is no name, and say so."""
    if not has_garbled(threads):
        return Facts(threads=threads)
    gap = Gap(
        what=f"names of files and functions in process {pid}",
        why="the reader of its stacks could not decode them",
        remedy="Install py-spy in hangbisect's environment, or update it.",
    )
    return Facts(threads=tuple(map(without_garbled, threads)), gaps=(gap,))


def _better(thread: Thread, others: tuple[Thread, ...]) -> Thread:
    """Take the other reading where strings are unread, if it is of the same lines."""
    if not any(map(is_unread, _locals(thread))):
        return thread
    for other in others:
        if other.tid in (0, thread.tid) and _lines(other) == _lines(thread):
            return msgspec.structs.replace(thread, frames=other.frames)
    return thread


def _lines(thread: Thread) -> list[tuple[str, int]]:
    return [(PurePath(frame.file).name, frame.line) for frame in thread.frames]


def _locals(thread: Thread) -> Iterator[Local]:
    for frame in thread.frames:
        yield from frame.locals
