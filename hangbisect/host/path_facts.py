"""What is known of a path: kind, age, size, who has it open, what it is mounted from.

What can be said without touching the path is said first: asking may block on a dead mount.
"""

import os
import stat
import time
from collections.abc import Iterator
from typing import Literal

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.host.holders import Wanted, scan
from hangbisect.host.mounts import mount_of, parse_mounts
from hangbisect.host.proc import Proc
from hangbisect.model import Facts, PathFact

PathKind = Literal["file", "directory", "fifo", "socket", "device", "link", "missing", "unknown"]


def path_facts(proc: Proc, question: Question) -> Iterator[Facts]:
    """Describe the question's paths as the root of the tree sees them."""
    paths = tuple(dict.fromkeys(question.paths))
    first = _untouched(proc, question, paths)
    yield Facts(paths=first)
    # A path on another machine or process may block: it is asked last.
    mounts = parse_mounts(proc.peek(f"{question.root}/mountinfo"))
    remote = {path for path in paths if (m := mount_of(path, mounts)) is not None and m.is_remote}
    for fact in sorted(first, key=lambda fact: fact.path in remote):
        yield Facts(paths=(_asked(proc, question.root, fact),))


def _untouched(proc: Proc, question: Question, paths: tuple[str, ...]) -> tuple[PathFact, ...]:
    mounts = parse_mounts(proc.peek(f"{question.root}/mountinfo"))
    found = scan(proc, Wanted(links=frozenset(paths)), frozenset(question.leave_out))
    facts = []
    for path in paths:
        mount = mount_of(path, mounts)
        openers = {each.descriptor.pid for each in found.holdings if each.descriptor.target == path}
        facts.append(
            PathFact(
                path=path,
                exists=None,
                openers=tuple(sorted(openers)),
                mount="" if mount is None else mount.point,
                filesystem="" if mount is None else mount.filesystem,
            )
        )
    return tuple(facts)


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
