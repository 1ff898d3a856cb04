"""The other ends: which processes outside the tree have open what the tree waits for. One scan."""

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from os.path import basename

from hangbisect.host.descriptors import describe
from hangbisect.host.fdinfo import parse_fdinfo
from hangbisect.host.lock_lines import Held
from hangbisect.host.maps import file_of
from hangbisect.host.mounts import mounts_of, parse_mounts
from hangbisect.host.proc import Proc
from hangbisect.model import Descriptor
from hangbisect.model._struct import Data

_HIDE = frozenset({"hidepid=2", "hidepid=4", "hidepid=invisible", "hidepid=ptraceable"})


class Wanted(Data, frozen=True, kw_only=True):
    """What is looked for among the descriptors of all processes."""

    links: frozenset[str] = frozenset()
    """Exact links: "pipe:[123]", "socket:[456]", or the path of a file."""
    files: frozenset[tuple[str, int]] = frozenset()
    """Files that may have other paths elsewhere: bare name and inode."""
    messages: bool = False
    """Also Unix sockets in which descriptors lie that nobody has received: unix(7), SCM_RIGHTS."""

    @property
    def names(self) -> frozenset[str]:
        """The bare names of the files: a cheap first test."""
        return frozenset(name for name, _ in self.files)


class Holding(Data, frozen=True, kw_only=True):
    """A descriptor that was looked for, with the locks held through it."""

    descriptor: Descriptor
    locks: tuple[Held, ...] = ()


class Scan(Data, frozen=True, kw_only=True):
    """What a look at all processes found."""

    holdings: tuple[Holding, ...] = ()
    told: frozenset[str] = frozenset()
    """Links of the Unix sockets that say whether descriptors lie in them."""
    hidden: int = 0
    """How many processes could not be looked at; 1 at least where others are not even listed."""


def scan(proc: Proc, wanted: Wanted, leave_out: Collection[int]) -> Scan:
    """Look through the descriptors of all processes but those left out."""
    found: list[Holding] = []
    hidden = 1 if hides_others(proc.peek("self/mountinfo"), _user()) else 0
    names = wanted.names
    told: set[str] = set()
    for pid in proc.numbers():
        if pid in leave_out or not (wanted.links or wanted.files or wanted.messages):
            continue
        try:
            fds = proc.numbers(f"{pid}/fd")
        except PermissionError:
            hidden += 1
            continue
        links = {fd: proc.link(f"{pid}/fd/{fd}") for fd in fds}
        carriers = set(_carriers(proc, pid, links, told)) if wanted.messages else set()
        matches = [fd for fd, link in links.items() if _may_match(link, wanted, names)]
        found.extend(_described(proc, pid, matches, carriers, wanted))
    return Scan(holdings=tuple(found), told=frozenset(told), hidden=hidden)


def hides_others(mounts: str, user: int) -> bool:
    """Does /proc not list the processes of other users (mount option hidepid, proc(5))?"""
    options = {
        option
        for mount in parse_mounts(mounts).values()
        if mount.filesystem == "proc" and mount.point == "/proc"
        for option in mount.options.split(",")
    }
    return user != 0 and bool(options & _HIDE)


def holding_of(proc: Proc, descriptor: Descriptor) -> Holding:
    """Add to a descriptor the locks that are held through it."""
    info = parse_fdinfo(proc.peek(f"{descriptor.pid}/fdinfo/{descriptor.fd}"))
    return Holding(descriptor=descriptor, locks=info.locks)


def file_key(descriptor: Descriptor) -> tuple[str, int]:
    """Name a file independently of where it is mounted."""
    return basename(file_of(descriptor.target)), descriptor.inode


def _may_match(link: str, wanted: Wanted, names: Collection[str]) -> bool:
    return link in wanted.links or (link.startswith("/") and basename(file_of(link)) in names)


def _carriers(proc: Proc, pid: int, links: Mapping[int, str], told: set[str]) -> Iterator[int]:
    """Name the sockets of a process in which descriptors lie; remember which told."""
    for fd, link in links.items():
        if link.startswith("socket:[") and link not in told:
            count = parse_fdinfo(proc.peek(f"{pid}/fdinfo/{fd}")).in_flight
            if count is not None:
                told.add(link)
            if count:
                yield fd


def _described(
    proc: Proc, pid: int, fds: Collection[int], carriers: Collection[int], wanted: Wanted
) -> Iterator[Holding]:
    mounts = mounts_of(proc, pid) if fds or carriers else {}
    for fd in sorted({*fds, *carriers}):
        descriptor = describe(proc, pid, fd, mounts)
        if descriptor is None:
            continue
        asked = descriptor.target in wanted.links or file_key(descriptor) in wanted.files
        if asked or fd in carriers:
            yield holding_of(proc, descriptor)


def _user() -> int:
    if sys.platform == "win32":
        raise NotImplementedError(sys.platform)
    return os.geteuid()
