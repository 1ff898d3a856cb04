"""How threads, processes and their number are called in a sentence."""

from collections.abc import Sequence
from os.path import basename

from hangbisect.model import Thread, ThreadRef
from hangbisect.waits._index import Index

LONGEST_COMMAND = 40


def thread_words(ref: ThreadRef, index: Index) -> str:
    """Name a thread: "the main thread", "thread 130 (backend)"; tid 0 names the process."""
    if ref.tid == 0:
        return process_words(ref.pid, index)
    if ref.tid == ref.pid:
        return "the main thread"
    row = index.thread(ref)
    main = index.thread(ThreadRef(pid=ref.pid, tid=ref.pid))
    own = row.name if row and not (main and main.name == row.name) else ""  # else the program's
    return f"thread {ref.tid} ({own})" if own else f"thread {ref.tid}"


def process_words(pid: int, index: Index) -> str:
    """Name a process: "process 4242 (sleep 100)", and whether it is outside the tree."""
    where = "" if index.is_inside(pid) else ", outside the tree"
    command = command_words(pid, index)
    inner = f"{command}{where}" if command else where.removeprefix(", ")
    return f"process {pid} ({inner})" if inner else f"process {pid}"


def command_words(pid: int, index: Index) -> str:
    """Return a process's command line, its folder left out, cut to 40 characters; "" if unknown."""
    row = index.process(pid)
    words = (row.argv or (row.executable,)) if row else ()
    line = " ".join(" ".join((basename(words[0]), *words[1:])).split()) if words else ""
    return line if len(line) <= LONGEST_COMMAND else line[: LONGEST_COMMAND - 3] + "..."


def holders_words(
    refs: Sequence[ThreadRef], thread: Thread, index: Index, verbs: tuple[str, str]
) -> str:
    """Say who holds what a thread waits for: "only this process holds", "process 7 holds".

    Args:
        refs: The holders; of the thread's own process its other threads, maybe none.
        thread: The one that waits.
        index: The tables.
        verbs: What one does and what several do: ("holds", "hold").
    """
    foreign = [process_words(ref.pid, index) for ref in refs if ref.pid != thread.pid]
    if not foreign:
        return f"only this process {verbs[0]}"
    more = [f"{len(foreign) - 2} more"] if len(foreign) > 2 else []
    own = ["this process"] if len(foreign) < len(refs) else []
    names = [*own, *foreign[:2], *more]
    return f"{' and '.join(names)} {verbs[len(names) > 1]}"


def others_words(refs: Sequence[ThreadRef], index: Index, verb: str) -> str:
    """Say which other threads of the process could do something: none, one by name, or how many."""
    if not refs:
        return f"and no other thread is left to {verb} it"
    if len(refs) == 1:
        return f"which only {thread_words(refs[0], index)} could {verb}"
    return f"which {len(refs)} other threads of this process could {verb}"
