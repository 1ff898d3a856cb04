"""/proc/PID/fdinfo/FD, parsed: proc_pid_fdinfo(5)."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from hangbisect.host.lock_lines import Held, parse_lock
from hangbisect.model._struct import Data

_MODES: dict[int, Literal["r", "w", "rw"]] = {0: "r", 1: "w", 2: "rw"}


class Watched(Data, frozen=True, kw_only=True):
    """A descriptor that an epoll watches."""

    fd: int
    """Its number when it was added: it may have been closed or used again since."""
    inode: int | None = None


class FdInfo(Data, frozen=True, kw_only=True):
    """What fdinfo tells of a descriptor."""

    mode: Literal["r", "w", "rw"] = "r"
    mount: int = 0
    position: int | None = None
    inode: int | None = None
    """None before kernel 5.14."""
    watched: tuple[Watched, ...] = ()
    locks: tuple[Held, ...] = ()
    """Locks held through this open file, by whichever process."""
    names: int | None = None
    """pidfd: the process that it names."""
    in_flight: int | None = None
    """Unix socket: descriptors in messages that were not received yet. None before kernel 5.8."""


def parse_fdinfo(text: str) -> FdInfo:
    """Parse the text; what is missing keeps its default."""
    pairs = [
        (key, value.strip()) for key, _, value in (x.partition(":") for x in text.splitlines())
    ]
    fields = dict(pairs)
    inode, named, sent = fields.get("ino"), fields.get("Pid"), fields.get("scm_fds")
    return FdInfo(
        mode=_MODES.get(int(fields.get("flags", "0"), 8) & 3, "r"),
        mount=int(fields.get("mnt_id", "0")),
        position=int(fields["pos"]) if "pos" in fields else None,
        inode=None if inode is None else int(inode),
        watched=tuple(_watched(value) for key, value in pairs if key == "tfd"),
        locks=tuple(_locks(pairs)),
        names=None if named is None else int(named),
        in_flight=None if sent is None else int(sent),
    )


def _watched(value: str) -> Watched:
    words = value.replace(":", ": ").split()
    inode = next((word for key, word in pairwise(words) if key == "ino:"), None)
    return Watched(fd=int(words[0]), inode=None if inode is None else int(inode, 16))


def _locks(pairs: list[tuple[str, str]]) -> Iterator[Held]:
    for key, value in pairs:
        held = parse_lock(value) if key == "lock" else None
        if held is not None:
            yield held
