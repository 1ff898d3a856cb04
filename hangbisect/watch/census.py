"""The census: which processes belong to the target. Read from /proc/PID/stat: it never blocks."""

import os
from collections.abc import Iterable

from hangbisect.model import State
from hangbisect.model._struct import Data

_GONE: tuple[State, ...] = ("Z", "X")


class Member(Data, frozen=True, kw_only=True):
    """A process, named for good by its pid and its start time."""

    pid: int
    began: int
    """Start time, in the kernel's clock ticks since boot."""
    parent: int
    group: int
    foreground: int
    """The group that owns its terminal; -1 if it has none."""
    command: str
    state: State
    """Of its first thread, which may have ended before the others."""
    threads: int = 1

    @property
    def gone(self) -> bool:
        """Whether it has ended and only waits for its parent to take note."""
        return self.state in _GONE and self.threads <= 1


def parse(text: str) -> Member:
    """Read a line of /proc/PID/stat. The command may hold blanks and brackets (proc(5))."""
    pid, rest = text.split(" (", 1)
    command, rest = rest.rsplit(") ", 1)
    fields = rest.split()
    return Member(
        pid=int(pid),
        began=int(fields[19]),
        parent=int(fields[1]),
        group=int(fields[2]),
        foreground=int(fields[5]),
        threads=int(fields[17]),
        command=command,
        state=fields[0],  # type: ignore[arg-type]  # the kernel's letters are what State lists
    )


def member(pid: int) -> Member | None:
    """Look at a process; None if there is no such process any more."""
    try:
        fd = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        return parse(os.read(fd, 4096).decode(errors="replace"))
    except ProcessLookupError:
        return None
    finally:
        os.close(fd)


def everyone() -> tuple[Member, ...]:
    """Look at all processes that we can see."""
    found = (member(int(name)) for name in os.listdir("/proc") if name.isdigit())
    return tuple(process for process in found if process is not None)


def descendants(table: Iterable[Member], roots: Iterable[int]) -> tuple[Member, ...]:
    """Return `roots` and all below them that are not gone, parents before their children."""
    by_parent: dict[int, list[Member]] = {}
    by_pid: dict[int, Member] = {}
    for process in table:
        by_parent.setdefault(process.parent, []).append(process)
        by_pid[process.pid] = process
    todo = [by_pid[pid] for pid in dict.fromkeys(roots) if pid in by_pid]
    found: dict[int, Member] = {}
    for process in todo:  # grows while it is walked
        if process.pid not in found:
            found[process.pid] = process
            todo.extend(by_parent.get(process.pid, ()))
    return tuple(process for process in found.values() if not process.gone)


def children(pid: int) -> tuple[int, ...]:
    """Return the pids of a process's children, gone ones too.

    The kernel lists them by thread, where it was built with CONFIG_PROC_CHILDREN.
    """
    try:
        return _listed_children(pid)
    except OSError:
        return tuple(process.pid for process in everyone() if process.parent == pid)


def _listed_children(pid: int) -> tuple[int, ...]:
    found: list[int] = []
    for tid in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{tid}/children", encoding="ascii") as file:
            found += map(int, file.read().split())
    return tuple(found)
