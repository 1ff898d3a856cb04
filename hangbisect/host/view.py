"""What one look at the tree begins with: its processes and threads, the clocks, the question."""

from collections.abc import Iterator, Mapping

from hangbisect.host._protocol import Question
from hangbisect.host.call_names import names_of
from hangbisect.host.clocks import Clocks, read_clocks
from hangbisect.host.proc import Proc
from hangbisect.host.rows import Glance, glance
from hangbisect.host.stat import Stat
from hangbisect.host.tree import tree_of
from hangbisect.model._struct import Data

_LOOKS = 3


class View(Data, frozen=True, kw_only=True):
    """The tree at the begin of a look."""

    proc: Proc
    machine: str
    question: Question
    clocks: Clocks
    tree: Mapping[int, Stat]
    threads: Mapping[int, tuple[Glance, ...]]
    """Threads of each process; none of a process that is hidden or has ended."""


def view(proc: Proc, machine: str, question: Question) -> View:
    """Take the first look: what cannot block."""
    tree = tree_of(proc, question)
    names = names_of(machine)
    glances = {pid: tuple(_glances(proc, names, pid)) for pid in tree}
    return View(
        proc=proc,
        machine=machine,
        question=question,
        clocks=read_clocks(question.began),
        tree=tree,
        threads={
            pid: tuple(_settled(proc, names, each) for each in threads)
            for pid, threads in glances.items()
        },
    )


def _glances(proc: Proc, names: Mapping[int, str], pid: int) -> Iterator[Glance]:
    for tid in proc.threads(pid):
        found = glance(proc, names, pid, tid)
        if found is not None:
            yield found


def _settled(proc: Proc, names: Mapping[int, str], each: Glance) -> Glance:
    """Look again at a thread that was just waking up or falling asleep, as GIL waiters are."""
    for _ in range(_LOOKS):
        if each.line.name != "running" or each.row.state in "RZX":
            break
        each = glance(proc, names, each.pid, each.tid) or each
    return each
