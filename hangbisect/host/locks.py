"""Locks on the tree's files: who holds each, and who waits for it.

The pid in /proc/locks is who took a flock, perhaps no more: its holders are those who have the open
file, told by a `lock:` line in their fdinfo. A POSIX lock belongs to the process that took it.
"""

from collections.abc import Collection, Iterator, Mapping

from hangbisect.host.holders import Holding
from hangbisect.host.lock_lines import Held, LockKind
from hangbisect.model import Descriptor, FileLock

Key = tuple[int, int]
"""Device and inode."""


def locked_files(descriptors: Collection[Descriptor], held: Collection[Held]) -> Mapping[Key, str]:
    """Give the paths of those open files that somebody has a lock on."""
    locked = {(each.device, each.inode) for each in held}
    return {
        (each.device, each.inode): each.target
        for each in descriptors
        if each.kind in ("file", "directory", "device") and (each.device, each.inode) in locked
    }


def locks_on(
    files: Mapping[Key, str],
    held: Collection[Held],
    holdings: Collection[Holding],
    alive: Collection[int],
) -> Iterator[FileLock]:
    """Describe the locks on these files. A lock whose holder is not seen has no holders."""
    for (device, inode), path in files.items():
        here = [each for each in held if (each.device, each.inode) == (device, inode)]
        for kind in dict.fromkeys(each.kind for each in here):
            lines = [each for each in here if each.kind == kind]
            yield FileLock(
                kind=kind,
                path=path,
                inode=inode,
                device=device,
                holders=_holders(kind, lines, holdings, alive),
                waiters=tuple(sorted({each.pid for each in lines if each.waits})),
            )


def _holders(
    kind: LockKind, lines: list[Held], holdings: Collection[Holding], alive: Collection[int]
) -> tuple[int, ...]:
    takers = {each.pid for each in lines if not each.waits and each.pid in alive}
    if kind == "posix":
        return tuple(sorted(takers))
    inodes = {(each.device, each.inode) for each in lines}
    seen = {
        holding.descriptor.pid
        for holding in holdings
        for lock in holding.locks
        if lock.kind == kind and not lock.waits and (lock.device, lock.inode) in inodes
    }
    return tuple(sorted(seen or takers))
