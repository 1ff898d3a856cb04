"""The processes of the tree: the root, its descendants and what else the question names."""

from collections.abc import Callable, Mapping

from hangbisect.host._protocol import Question
from hangbisect.host.proc import Proc
from hangbisect.host.stat import Stat, parse_stat

_Children = Callable[[int], list[int]]


def tree_of(proc: Proc, question: Question) -> Mapping[int, Stat]:
    """Read the stat of every process of the tree, parents before children."""
    found: dict[int, Stat] = {}
    waiting = [question.root, *question.extra]
    children = _finder(proc)
    while waiting:
        pid = waiting.pop(0)
        if pid in found or pid in question.leave_out:
            continue
        stat = parse_stat(proc.peek(f"{pid}/stat"))
        if stat is not None:
            found[pid] = stat
            waiting.extend(children(pid))
    return found


def stats_of_all(proc: Proc) -> Mapping[int, Stat]:
    """Read the stat of every process that can be seen."""
    stats = ((pid, parse_stat(proc.peek(f"{pid}/stat"))) for pid in proc.numbers())
    return {pid: stat for pid, stat in stats if stat is not None}


def children_of(proc: Proc, pid: int, tid: int) -> tuple[int, ...]:
    """List the children that a thread made, oldest first, where the kernel keeps the list."""
    return tuple(int(word) for word in proc.peek(f"{pid}/task/{tid}/children").split())


def _finder(proc: Proc) -> _Children:
    """Use the lists that threads keep (CONFIG_PROC_CHILDREN), or else the parents of all."""
    if proc.exists("thread-self/children"):
        return lambda pid: [
            child for tid in proc.threads(pid) for child in children_of(proc, pid, tid)
        ]
    by_parent: dict[int, list[int]] = {}
    for pid, stat in stats_of_all(proc).items():
        by_parent.setdefault(stat.parent, []).append(pid)
    return lambda pid: by_parent.get(pid, [])
