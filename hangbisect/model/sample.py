"""Cheap counters of the tree, taken several times a second: from two of them follows what moved."""

from hangbisect.model._struct import Data
from hangbisect.model.thread import State


class ThreadPulse(Data, frozen=True, kw_only=True):
    """Counters of a thread."""

    pid: int
    tid: int
    state: State
    call: str = ""
    """The line of /proc/PID/task/TID/syscall, whole; "" if unreadable."""
    switches: int | None = None
    """Voluntary context switches so far."""
    cpu: int | None = None
    """CPU nanoseconds so far (schedstat)."""


class ProcessPulse(Data, frozen=True, kw_only=True):
    """Counters of a process."""

    pid: int
    parent: int
    began: int
    """Start time as the system counts it: with the pid it names a process for good."""
    command: str = ""
    state: State = "?"
    cpu: float = 0.0
    """CPU seconds so far, all threads."""
    minor_faults: int = 0
    major_faults: int = 0
    read: int = 0
    """Bytes through read-like calls (rchar), plus storage reads by page faults (read_bytes)."""
    stored: int = 0
    """Of `read`, those that had to come from storage, for reads and for pages (read_bytes)."""
    written: int = 0
    received: int = 0
    """Bytes that arrived on its sockets (tcp_info), peers inside the tree left out."""
    internal: int = 0
    """Bytes that arrived on its TCP sockets from within the tree: no progress."""
    descriptors: int = 0
    foreground: int = -1
    group: int = 0


class Sample(Data, frozen=True, kw_only=True):
    """One round of counters."""

    time: float
    """Seconds on CLOCK_MONOTONIC."""
    processes: tuple[ProcessPulse, ...] = ()
    threads: tuple[ThreadPulse, ...] = ()
