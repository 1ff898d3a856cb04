"""The open descriptors of a process, and what they are, without following any to its file."""

import os
import re
import stat
import sys
from collections.abc import Collection, Iterator, Mapping

from hangbisect.host.fdinfo import FdInfo, Watched, parse_fdinfo
from hangbisect.host.mounts import Mount
from hangbisect.host.proc import Proc
from hangbisect.model import Descriptor
from hangbisect.model.objects import Kind

_NUMBERED = re.compile(r"(?:pipe|socket):\[(\d+)\]")
_ANONYMOUS: Mapping[str, Kind] = {
    "[eventpoll]": "epoll",
    "[eventfd]": "eventfd",
    "[timerfd]": "timerfd",
    "[signalfd]": "signalfd",
    "[pidfd]": "pidfd",
    "inotify": "inotify",
}
_TERMINALS = frozenset({4, *range(136, 144), 204, 229})
"""Device majors of consoles, pseudo-terminal slaves and serial lines: devices.txt of the kernel."""
_SAFE = re.compile(r"/dev/|/\d+$")
"""Devices; "/3" is how a terminal of another mount namespace reads within a container."""
_OWN_TERMINAL = (5, 0)
_CONSOLE = (5, 1)


def descriptors_of(
    proc: Proc,
    pid: int,
    mounts: Mapping[int, Mount],
    inherited: Collection[tuple[int, int]],
) -> Iterator[Descriptor]:
    """Describe all descriptors of a process, ascending.

    Raises:
        PermissionError: They may not be listed.
    """
    for fd in proc.numbers(f"{pid}/fd"):
        found = describe(proc, pid, fd, mounts, inherited)
        if found is not None:
            yield found


def describe(
    proc: Proc,
    pid: int,
    fd: int,
    mounts: Mapping[int, Mount],
    inherited: Collection[tuple[int, int]] = (),
) -> Descriptor | None:
    """Describe one descriptor; None if it is closed."""
    target = proc.link(f"{pid}/fd/{fd}")
    if not target:
        return None
    info = parse_fdinfo(proc.peek(f"{pid}/fdinfo/{fd}"))
    mount = mounts.get(info.mount)
    status = _status(proc.path(f"{pid}/fd/{fd}"), target, mount)
    device, inode = _identity(target, info, mount, status)
    kind = kind_of(target, status)
    is_file = kind == "file" and status is not None
    same = (status.st_dev, status.st_ino) if status is not None else (device, inode)
    return Descriptor(
        pid=pid,
        fd=fd,
        kind=kind,
        target=target,
        inode=inode,
        device=device,
        mode=info.mode,
        inherited=same in inherited or (device, inode) in inherited,
        watched=watched_by(proc, pid, info),
        names=info.names,
        in_flight=info.in_flight or 0,
        position=info.position if is_file else None,
        size=status.st_size if is_file and status is not None else None,
    )


def kind_of(target: str, status: os.stat_result | None) -> Kind:
    """Tell the kind of a descriptor from its link, and from its file's status where it is known."""
    if target.startswith("pipe:["):
        return "pipe"
    if target.startswith("socket:["):
        return "socket"
    if target.startswith("pidfd:["):
        return "pidfd"
    if target.startswith("anon_inode:"):
        return _ANONYMOUS.get(target.removeprefix("anon_inode:"), "other")
    return "file" if status is None else _kind_of_file(status)


def watched_by(proc: Proc, pid: int, info: FdInfo) -> tuple[int, ...]:
    """Give what an epoll watches; -1 for a number that stands for something else by now."""
    return tuple(_number_now(proc, pid, each) for each in info.watched)


def _kind_of_file(status: os.stat_result) -> Kind:
    if sys.platform == "win32":
        raise NotImplementedError(sys.platform)
    mode = status.st_mode
    if stat.S_ISFIFO(mode):
        return "fifo"
    if stat.S_ISDIR(mode):
        return "directory"
    if stat.S_ISCHR(mode):
        device = os.major(status.st_rdev), os.minor(status.st_rdev)
        terminal = device[0] in _TERMINALS or device in (_OWN_TERMINAL, _CONSOLE)
        return "terminal" if terminal else "device"
    return "device" if stat.S_ISBLK(mode) else "file"


def _status(path: str, target: str, mount: Mount | None) -> os.stat_result | None:
    """Ask for a file's status, but never across a mount that another machine has to answer for."""
    if mount is not None and mount.is_remote:
        return None
    if mount is None and target.startswith("/") and not _SAFE.match(target):
        return None
    try:
        return os.stat(path)
    except OSError:  # closed meanwhile
        return None


def _identity(
    target: str, info: FdInfo, mount: Mount | None, status: os.stat_result | None
) -> tuple[int, int]:
    """Give device and inode as the kernel's own lists of locks have them."""
    numbered = _NUMBERED.fullmatch(target)
    inode = int(numbered[1]) if numbered else info.inode
    if inode is None:
        inode = status.st_ino if status is not None else 0
    if mount is not None:
        return mount.device, inode
    return (status.st_dev if status is not None else 0), inode


def _number_now(proc: Proc, pid: int, watched: Watched) -> int:
    now = parse_fdinfo(proc.peek(f"{pid}/fdinfo/{watched.fd}")).inode
    known = watched.inode is not None and now is not None
    return -1 if known and now != watched.inode else watched.fd
