"""The mounts that a process sees: /proc/PID/mountinfo, proc_pid_mountinfo(5)."""

import os
import re
import sys
from collections.abc import Mapping

from hangbisect.host.proc import Proc
from hangbisect.model._struct import Data

_ESCAPE = re.compile(r"\\([0-7]{3})")
_REMOTE = re.compile(
    r"nfs\d?|cifs|smb\w*|fuse(\..*|blk)?|ceph|9p|virtiofs|lustre|gpfs|afs|glusterfs|beegfs|orangefs|coda"
)


class Mount(Data, frozen=True, kw_only=True):
    """A mount point."""

    id: int
    device: int
    """As `st_dev` of the files on it, save for file systems that give each volume its own."""
    point: str
    filesystem: str
    source: str = ""
    options: str = ""

    @property
    def is_remote(self) -> bool:
        """May asking about a file on it wait for another machine or process?"""
        return _REMOTE.fullmatch(self.filesystem) is not None


def mounts_of(proc: Proc, pid: int) -> Mapping[int, Mount]:
    """List the mounts that a process sees, and ours: a descriptor may come from outside of its own.

    Ids of mounts are the machine's, not a namespace's.
    """
    ours, theirs = proc.peek("self/mountinfo"), proc.peek(f"{pid}/mountinfo")
    return {**parse_mounts(ours), **parse_mounts(theirs)}


def parse_mounts(text: str) -> Mapping[int, Mount]:
    """Parse mountinfo into mounts by their id; torn lines are left out."""
    mounts = (_mount(line) for line in text.splitlines())
    return {mount.id: mount for mount in mounts if mount is not None}


def device_of(name: str, base: int = 10) -> int:
    """Read a device number from "MAJOR:MINOR"."""
    if sys.platform == "win32":
        raise NotImplementedError(sys.platform)
    major, _, minor = name.partition(":")
    return os.makedev(int(major, base), int(minor, base))


def mount_of(path: str, mounts: Mapping[int, Mount]) -> Mount | None:
    """Find the mount that a path lies on, without touching the path."""
    best: Mount | None = None
    for mount in mounts.values():
        point = mount.point.rstrip("/")
        # Later mounts cover earlier ones at the same place.
        below = path == point or path.startswith(point + "/")
        if below and (best is None or len(point) >= len(best.point.rstrip("/"))):
            best = mount
    return best


def _mount(line: str) -> Mount | None:
    front, dash, back = line.partition(" - ")
    fields, kinds = front.split(), back.split()
    if not dash or len(fields) < 6 or not kinds:
        return None
    return Mount(
        id=int(fields[0]),
        device=device_of(fields[2]),
        point=_ESCAPE.sub(lambda match: chr(int(match[1], 8)), fields[4]),
        filesystem=kinds[0],
        source=kinds[1] if len(kinds) > 1 else "",
        options=kinds[2] if len(kinds) > 2 else "",
    )
