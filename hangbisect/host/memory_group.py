"""The control group that limits our memory, and so a target's that stays in it: version 1 or 2.

https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1/memory.html
"""

import os
import sys

from hangbisect.host.proc import Proc
from hangbisect.model._struct import Data

_NONE = 1 << 60
"""Version 1 writes a number of pages near 2 to the 63rd where there is no limit."""


class Group(Data, frozen=True, kw_only=True):
    """A memory control group."""

    folder: str
    top: str
    """Where its hierarchy is mounted: no limit above it can be seen."""
    version: int


def group_of(groups: str, mounts: str) -> Group | None:
    """Find the group from the text of /proc/PID/cgroup and of mountinfo. Pure.

    Version 1 comes first: it owns the memory where both are mounted.
    """
    paths = {
        name: path
        for _, names, path in (line.split(":", 2) for line in groups.splitlines() if ":" in line)
        for name in names.split(",")
    }
    for version, name in ((1, "memory"), (2, "")):
        mount = _mount(mounts, version)
        if mount is not None and name in paths:
            root, top = mount
            return Group(folder=_below(top, root, paths[name]), top=top, version=version)
    return None


def this_group(proc: Proc) -> Group | None:
    """Find the group of this process."""
    return group_of(proc.peek("self/cgroup"), proc.peek("self/mountinfo"))


def limit(group: Group) -> int | None:
    """Return the lowest limit of a group and those above it, in bytes; None if there is none."""
    name = "memory.limit_in_bytes" if group.version == 1 else "memory.max"
    folder, found = group.folder, []
    while True:
        text = _read(f"{folder}/{name}").strip()
        if text.isdigit() and int(text) < _NONE:
            found.append(int(text))
        if folder == group.top or len(folder) <= len(group.top):
            return min(found, default=None)
        folder = os.path.dirname(folder)


def kills(group: Group) -> int | None:
    """Count the processes of a group that the kernel killed for want of memory so far."""
    name = "memory.oom_control" if group.version == 1 else "memory.events"
    for line in _read(f"{group.folder}/{name}").splitlines():
        key, _, value = line.partition(" ")
        if key == "oom_kill" and value.isdigit():
            return int(value)
    return None


def address_space() -> int | None:
    """Return our limit of address space in bytes, which a target gets too; None without one."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def _mount(mounts: str, version: int) -> tuple[str, str] | None:
    """Return the root within the hierarchy, and the folder where that is mounted."""
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) < 5 or len(kind) < 3:
            continue
        first = kind[0] == "cgroup" and "memory" in kind[2].split(",")
        if first if version == 1 else kind[0] == "cgroup2":
            return fields[3], fields[4]
    return None


def _below(top: str, root: str, path: str) -> str:
    """Put a group's path below its mount; a container may see no more than the mount itself."""
    inside = path.removeprefix(root.rstrip("/")) if path.startswith(root.rstrip("/")) else ""
    folder = os.path.normpath(f"{top}/{inside}")
    return folder if folder.startswith(top) and os.path.isdir(folder) else top


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""
