"""What one look at the tree begins with: its processes and threads, the clocks, the question."""

from collections.abc import Mapping

from hangbisect.host._protocol import Question
from hangbisect.host.call_names import names_of
from hangbisect.host.clocks import Clocks, read_clocks
from hangbisect.host.proc import Proc
from hangbisect.host.rows import Glance, glance
from hangbisect.host.stat import Stat
from hangbisect.host.tree import tree_of
from hangbisect.model._struct import Data


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
    glances = {
        pid: tuple(
            found
            for tid in proc.threads(pid)
            if (found := glance(proc, names, pid, tid)) is not None
        )
        for pid in tree
    }
    return View(
        proc=proc,
        machine=machine,
        question=question,
        clocks=read_clocks(question.began),
        tree=tree,
        threads=glances,
    )
