"""Lines of /proc/locks and of `lock:` in fdinfo: proc_locks(5)."""

from typing import Literal

from hangbisect.host.mounts import device_of
from hangbisect.model._struct import Data

LockKind = Literal["flock", "posix", "ofd", "lease"]

_KINDS: dict[str, LockKind] = {
    "FLOCK": "flock",
    "POSIX": "posix",
    "OFDLCK": "ofd",
    "LEASE": "lease",
    "DELEG": "lease",
}


class Held(Data, frozen=True, kw_only=True):
    """A lock as the kernel lists it."""

    kind: LockKind
    waits: bool = False
    """Somebody waits for it: the line before it is the lock that is in the way."""
    exclusive: bool = True
    pid: int
    """Who took it: perhaps no more, perhaps not the only one. -1 for a lock of an open file."""
    device: int
    inode: int


def parse_locks(text: str) -> tuple[Held, ...]:
    """Parse /proc/locks; kinds that are not known are left out."""
    held = (parse_lock(line) for line in text.splitlines())
    return tuple(each for each in held if each is not None)


def parse_lock(line: str) -> Held | None:
    """Parse "1: [->] FLOCK  ADVISORY  WRITE 4711 08:01:12345 0 EOF"."""
    fields = line.split()[1:]
    waits = fields[:1] == ["->"]
    fields = fields[1:] if waits else fields
    if len(fields) < 5 or fields[0] not in _KINDS:
        return None
    device, _, inode = fields[4].rpartition(":")
    return Held(
        kind=_KINDS[fields[0]],
        waits=waits,
        exclusive=fields[2] != "READ",
        pid=int(fields[3]),
        device=device_of(device, 16),
        inode=int(inode),
    )
