"""What threads wait on: descriptors, sockets, file locks, polled paths. Sizes are bytes."""

from typing import Literal

from hangbisect.model._struct import Data

Kind = Literal[
    "pipe",
    "fifo",
    "file",
    "directory",
    "socket",
    "terminal",
    "device",
    "epoll",
    "eventfd",
    "timerfd",
    "signalfd",
    "pidfd",
    "inotify",
    "other",
]


class Descriptor(Data, frozen=True, kw_only=True):
    """An open descriptor; rows of processes outside the tree only where they matter to it."""

    pid: int
    fd: int
    kind: Kind
    target: str
    """What /proc/PID/fd/N points to: a path, "pipe:[123]", "socket:[456]" ..."""
    inode: int = 0
    device: int = 0
    mode: Literal["r", "w", "rw"] = "r"
    inherited: bool = False
    """The target got it at its start: somebody out of sight may hold the other end."""
    watched: tuple[int, ...] = ()
    """epoll: the descriptors it watches."""
    names: int | None = None
    """pidfd: the process whose end makes it readable."""
    in_flight: int = 0
    """Unix socket: descriptors in messages that nobody has received yet; no holder is seen."""
    position: int | None = None
    """file: how far it has been read or written."""
    size: int | None = None
    """file: its length, where asking for it could not block."""
    full: bool = False
    """pipe: no room left; socket: the peer's window or our buffer is full."""


class Socket(Data, frozen=True, kw_only=True):
    """A socket of the tree, by inode."""

    inode: int
    family: Literal["unix", "inet", "inet6", "netlink", "other"]
    type: Literal["stream", "datagram", "other"] = "stream"
    state: str = ""
    """As the kernel says: "ESTABLISHED", "SYN_SENT", "LISTEN" ..."""
    local: str = ""
    """"127.0.0.1:29500", or a Unix path."""
    remote: str = ""
    peer: int | None = None
    """Inode of the other end, where it is on this machine."""
    timeout: float | None = None
    """SO_RCVTIMEO in seconds if it could be read; 0.0 means none."""
    received: int | None = None
    sent: int | None = None
    opaque: bool = False
    """Unix: messages lie in it, and whether they carry descriptors could not be seen. Such a row
    may be of a socket outside the tree."""


class FileLock(Data, frozen=True, kw_only=True):
    """A lock on a file: who holds it, or who waits for it."""

    kind: Literal["flock", "posix", "ofd", "lease"]
    path: str
    inode: int
    device: int = 0
    holders: tuple[int, ...]
    """pids; empty if nobody on this machine is seen to hold it."""
    waiters: tuple[int, ...] = ()


class Beat(Data, frozen=True, kw_only=True):
    """A call that a polling thread repeats: what is polled, and with which result."""

    pid: int
    tid: int
    call: str
    path: str | None = None
    address: str | None = None
    error: int = 0
    """errno of the result, 0 if it succeeded."""
    count: int = 1


class PathFact(Data, frozen=True, kw_only=True):
    """What is known of a path that a wait or a poll names."""

    path: str
    exists: bool | None
    """None: could not be asked in time."""
    kind: Literal["file", "directory", "fifo", "socket", "device", "link", "missing", "unknown"] = (
        "unknown"
    )
    age: float | None = None
    """Seconds since its last change."""
    size: int | None = None
    openers: tuple[int, ...] = ()
    """pids that have it open."""
    mount: str = ""
    filesystem: str = ""
    source: str = ""
    """What is mounted there: "nas:/export", "/dev/sda1"."""
    servers: tuple[int, ...] = ()
    """pids on this machine that answer for file systems of this kind (FUSE)."""
    variables: tuple[str, ...] = ()
    """Environment variables, as the target got them, whose value is this path or leads to it."""
