"""What is known of a path: kind, age, size, who has it open, what it is mounted from, who named it.

What can be said without touching the path is said first: asking may block on a dead mount.
"""

import os
import stat
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from os.path import dirname
from typing import Literal

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.host.clocks import read_clocks
from hangbisect.host.holders import Scan, Wanted, scan
from hangbisect.host.lock_lines import parse_locks
from hangbisect.host.locks import locked_files, locks_on
from hangbisect.host.mounts import Mount, mount_of, parse_mounts
from hangbisect.host.proc import Proc
from hangbisect.host.rows import arguments, process_row
from hangbisect.host.stat import parse_stat
from hangbisect.host.tree import tree_of
from hangbisect.model import Facts, PathFact, Process

_FUSE = "/dev/fuse"
"""Who serves a FUSE file system has this open: fuse(4)."""
PathKind = Literal["file", "directory", "fifo", "socket", "device", "link", "missing", "unknown"]


def path_facts(proc: Proc, question: Question) -> Iterator[Facts]:
    """Describe the question's paths as the root of the tree sees them."""
    paths = tuple(dict.fromkeys(question.paths))
    found = scan(proc, Wanted(links=frozenset({*paths, _FUSE})), frozenset(question.leave_out))
    first = _untouched(proc, question, paths, found)
    yield Facts(paths=first)
    locks = _locks(proc, question, found)
    yield locks
    first = _named(proc, question.root, first)  # reading its memory may block
    yield Facts(paths=first)
    # A path on another machine or process may block: it is asked last.
    mounts = parse_mounts(proc.peek(f"{question.root}/mountinfo"))
    remote = {path for path in paths if (m := mount_of(path, mounts)) is not None and m.is_remote}
    for fact in sorted(first, key=lambda fact: fact.path in remote):
        yield Facts(paths=(_asked(proc, question.root, fact),))
    for row in locks.processes:
        argv = arguments(proc, row.pid)
        yield Facts(processes=(Process(pid=row.pid, parent=row.parent, inside=False, argv=argv),))


def _untouched(
    proc: Proc, question: Question, paths: tuple[str, ...], found: Scan
) -> tuple[PathFact, ...]:
    mounts = parse_mounts(proc.peek(f"{question.root}/mountinfo"))
    openers: defaultdict[str, set[int]] = defaultdict(set)
    for each in found.holdings:
        openers[each.descriptor.target].add(each.descriptor.pid)
    return tuple(_fact(path, mount_of(path, mounts), openers) for path in paths)


def _locks(proc: Proc, question: Question, found: Scan) -> Facts:
    """Describe the locks on the paths, and who holds them.

    Who asks for a lock again and again opens the file for it each time, and may have closed it when
    the tree's descriptors were read.
    """
    held = parse_locks(proc.peek("locks"))
    files = locked_files(
        [each.descriptor for each in found.holdings if each.descriptor.target != _FUSE], held
    )
    alive = {each.pid for each in held if proc.exists(str(each.pid))}
    locks = tuple(locks_on(files, held, found.holdings, alive))
    clocks = read_clocks(question.began)
    holders = sorted({pid for lock in locks for pid in lock.holders} - {*question.leave_out})
    stats = {pid: parse_stat(proc.peek(f"{pid}/stat")) for pid in holders}
    inside = tree_of(proc, question)
    return Facts(
        locks=locks,
        processes=tuple(
            process_row(proc, pid, stat, clocks, inside=False)
            for pid, stat in stats.items()
            if stat is not None and pid not in inside
        ),
    )


def _fact(path: str, mount: Mount | None, openers: Mapping[str, set[int]]) -> PathFact:
    fact = PathFact(path=path, exists=None, openers=tuple(sorted(openers.get(path, ()))))
    if mount is None:
        return fact
    served = mount.filesystem.startswith("fuse")
    return msgspec.structs.replace(
        fact,
        mount=mount.point,
        filesystem=mount.filesystem,
        source=mount.source,
        servers=tuple(sorted(openers.get(_FUSE, ()))) if served else (),
    )


def _named(proc: Proc, root: int, facts: tuple[PathFact, ...]) -> tuple[PathFact, ...]:
    """Add the environment variables that lead to each path."""
    text = proc.peek(f"{root}/environ")
    return tuple(
        msgspec.structs.replace(fact, variables=variables_for(fact.path, text)) for fact in facts
    )


_OF_THE_SHELL = ("HOME", "OLDPWD", "PWD")
"""Variables that name a folder, but not for the program's sake."""


def variables_for(path: str, environ: str) -> tuple[str, ...]:
    """Name the variables whose value is a path; if none is, those that name its folder."""
    rows = (row.partition("=") for row in environ.split("\0"))
    values = {name: value.removeprefix("file://").rstrip("/") for name, _, value in rows}
    exact = tuple(name for name, value in values.items() if value == path)
    folder = dirname(path)
    near = (
        name
        for name, value in values.items()
        if value == folder and folder != "/" and name not in _OF_THE_SHELL
    )
    return exact or tuple(near)


def _asked(proc: Proc, root: int, fact: PathFact) -> PathFact:
    try:
        status = os.lstat(_seen_by(proc, root, fact.path))
    except (FileNotFoundError, NotADirectoryError):
        return msgspec.structs.replace(fact, exists=False, kind="missing")
    except OSError:  # not ours to see, or the mount answers with an error
        return fact
    return msgspec.structs.replace(
        fact,
        exists=True,
        kind=_kind(status.st_mode),
        age=max(0.0, time.time() - status.st_mtime),
        size=status.st_size,
    )


def _seen_by(proc: Proc, root: int, path: str) -> str:
    """Name a path as the process sees it, in its own mount namespace where we may look into it."""
    inner = proc.path(f"{root}/root")
    same = proc.link("self/ns/mnt") == proc.link(f"{root}/ns/mnt")
    chrooted = proc.link(f"{root}/root") not in ("", proc.link("self/root"))
    return inner + path if (not same or chrooted) and os.access(inner, os.X_OK) else path


def _kind(mode: int) -> PathKind:
    kinds: dict[int, PathKind] = {
        stat.S_IFREG: "file",
        stat.S_IFDIR: "directory",
        stat.S_IFIFO: "fifo",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "device",
        stat.S_IFBLK: "device",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "unknown")
