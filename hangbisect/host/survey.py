"""The passive look at a tree on Linux: nothing is stopped, the safest is read first.

What may block on a sick process (memory, maps, command line) comes late, the sickest process last:
whoever reads us has everything before that.
"""

from collections.abc import Iterator

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.host.calling import called
from hangbisect.host.frozen import is_frozen
from hangbisect.host.open_files import late_ends, open_files
from hangbisect.host.origin import with_origin
from hangbisect.host.proc import Proc
from hangbisect.host.rights import refusal
from hangbisect.host.rows import arguments, process_row
from hangbisect.host.view import View, view
from hangbisect.model import Facts, Gap, Process, Thread


def survey(proc: Proc, machine: str, question: Question) -> Iterator[Facts]:
    """Yield all passive facts about the tree, part by part, each useful by itself."""
    seen = view(proc, machine, question)
    yield _first(seen)
    outsiders: dict[int, Process] = {}
    for part in open_files(seen):
        outsiders.update({row.pid: row for row in part.processes})
        yield part
    calls: list[Thread] = []
    healthy_first = sorted(seen.tree, key=lambda pid: _is_sick(seen, pid))
    for pid in healthy_first:
        for part in called(seen, pid):
            calls.extend(part.threads)
            yield part
    late = late_ends(seen, calls)
    outsiders.update({row.pid: row for row in late.processes})
    yield late
    for pid in healthy_first:
        yield _arguments(seen, pid, seen.tree[pid].parent, inside=True)
    for row in outsiders.values():
        yield _arguments(seen, row.pid, row.parent, inside=False)


def _first(seen: View) -> Facts:
    threads = [each for threads in seen.threads.values() for each in threads]
    return Facts(
        processes=tuple(_process(seen, pid) for pid in seen.tree),
        threads=tuple(each.row for each in threads),
        gaps=tuple(_gaps(seen)),
    )


def _process(seen: View, pid: int) -> Process:
    row = process_row(seen.proc, pid, seen.tree[pid], seen.clocks)
    return msgspec.structs.replace(row, frozen=is_frozen(seen.proc, pid))


def _gaps(seen: View) -> Iterator[Gap]:
    for pid, threads in seen.threads.items():
        what = f"system calls of process {pid}"
        if not threads:
            yield refusal(pid, f"threads of process {pid}", "they cannot be listed")
        elif any(each.refused for each in threads):
            yield refusal(pid, what, "reading them was refused")
        elif any(_is_mute(seen, pid, each.line.name) for each in threads):
            yield Gap(
                what=what,
                why="the kernel does not tell, or the program is a 32-bit one",
                remedy="In a container, look from outside of it.",
            )


def _is_mute(seen: View, pid: int, name: str) -> bool:
    return name == "" and seen.tree[pid].state not in "ZX"


def _is_sick(seen: View, pid: int) -> bool:
    return any(each.row.state == "D" for each in seen.threads[pid])


def _arguments(seen: View, pid: int, parent: int, *, inside: bool) -> Facts:
    argv = arguments(seen.proc, pid)
    row = Process(pid=pid, parent=parent, inside=inside, argv=argv)
    return Facts(processes=(with_origin(seen.proc, row) if inside else row,))
