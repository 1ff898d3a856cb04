"""Indexed access to the tables of a Snapshot."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from hangbisect.model import (
    Beat,
    Descriptor,
    FileLock,
    Loss,
    PathFact,
    Process,
    Repeat,
    Snapshot,
    Socket,
    Thread,
    ThreadRef,
)

K = TypeVar("K")
V = TypeVar("V")

ENDED = ("Z", "X")
"""States of what has ended: it wakes nobody."""


class Index:
    """Rows of a snapshot by what names them. Missing rows are None or empty, never an error."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._processes = {row.pid: row for row in snapshot.processes}
        self._threads = {ref_of(row): row for row in snapshot.threads}
        self._of_process = _grouped(sorted(snapshot.threads, key=_tid), lambda row: row.pid)
        self._refs = {
            pid: tuple(ref_of(row) for row in rows if row.state not in ENDED)
            for pid, rows in self._of_process.items()
        }
        self._descriptors = {(row.pid, row.fd): row for row in snapshot.descriptors}
        self._by_inode = _grouped(snapshot.descriptors, lambda row: row.inode)
        self._by_pid = _grouped(snapshot.descriptors, lambda row: row.pid)
        self._children = _grouped(snapshot.processes, lambda row: row.parent)
        self._sockets = {row.inode: row for row in snapshot.sockets}
        self._beats = _grouped(snapshot.beats, lambda row: ThreadRef(pid=row.pid, tid=row.tid))
        self._repeats = {ThreadRef(pid=row.pid, tid=row.tid): row for row in snapshot.repeats}
        self._paths = {row.path: row for row in snapshot.paths}
        self._losses = {row.parent: row for row in snapshot.losses}

    @property
    def hands_over(self) -> bool:
        """Tell whether descriptors may lie in messages: then more ends exist than are seen."""
        sent = any(row.in_flight for row in self.snapshot.descriptors)
        return sent or any(row.opaque for row in self.snapshot.sockets)

    def process(self, pid: int) -> Process | None:
        """Return a process of the tree, or one outside it that has a row."""
        return self._processes.get(pid)

    def is_inside(self, pid: int) -> bool:
        """Tell whether a process belongs to the tree."""
        row = self._processes.get(pid)
        return row is not None and row.inside

    def has_ended(self, pid: int) -> bool:
        """Tell whether a process is a zombie: it has ended and only waits to be asked for."""
        row = self._processes.get(pid)
        return row is not None and row.state in ENDED

    def children(self, pid: int) -> tuple[Process, ...]:
        """Return the processes whose parent this one is, zombies included."""
        return self._children.get(pid, ())

    def loss_of(self, pid: int) -> Loss | None:
        """Return how the children of a process die again and again, None if they do not."""
        return self._losses.get(pid)

    def is_doomed(self, pid: int) -> bool:
        """Tell whether a process only repeats how those before it died; a new one does from birth.

        Before the probe has come up in it, it cannot be told from its kind.
        """
        row = self._processes.get(pid)
        loss = self._losses.get(row.parent) if row else None
        if row is None or loss is None:
            return False
        return pid in loss.living or row.argv == loss.argv or not row.hooked

    def thread(self, ref: ThreadRef) -> Thread | None:
        """Return a thread's row; for tid 0 that of the process's main thread."""
        if ref.tid == 0:
            return self._threads.get(ThreadRef(pid=ref.pid, tid=ref.pid))
        return self._threads.get(ref)

    def threads_of(self, pid: int) -> tuple[Thread, ...]:
        """Return the threads of a process by thread id, ended ones included."""
        return self._of_process.get(pid, ())

    def live(self, pid: int) -> tuple[ThreadRef, ...]:
        """Name the threads of a process that have not ended."""
        return self._refs.get(pid, ())

    def others(self, thread: Thread) -> tuple[ThreadRef, ...]:
        """Name the other threads of a thread's process that have not ended."""
        return tuple(ref for ref in self.live(thread.pid) if ref.tid != thread.tid)

    def descriptor(self, pid: int, fd: int) -> Descriptor | None:
        """Return what a descriptor of a process is."""
        return self._descriptors.get((pid, fd))

    def descriptors_of(self, pid: int) -> tuple[Descriptor, ...]:
        """Return all descriptors of a process."""
        return self._by_pid.get(pid, ())

    def descriptors_on(self, inode: int) -> tuple[Descriptor, ...]:
        """Return all descriptors, of all processes, that stand for an inode."""
        return self._by_inode.get(inode, ()) if inode else ()

    def ends_of(self, inode: int, mode: str, device: int = 0) -> tuple[Descriptor, ...]:
        """Return the ends of a pipe or FIFO: mode "w" those that can write, "r" that can read."""
        return tuple(
            row
            for row in self.descriptors_on(inode)
            if row.kind in ("pipe", "fifo")
            and mode in row.mode
            and row.device == (device or row.device)
        )

    def socket(self, inode: int) -> Socket | None:
        """Return a socket by its inode."""
        return self._sockets.get(inode) if inode else None

    def listeners(self, address: str) -> tuple[Descriptor, ...]:
        """Return the descriptors of sockets that listen at an address."""
        found = (row for row in self.snapshot.sockets if row.state == "LISTEN")
        return tuple(
            end for row in found if row.local == address for end in self.descriptors_on(row.inode)
        )

    def locks_on(self, inode: int, device: int = 0) -> tuple[FileLock, ...]:
        """Return the locks on a file."""
        return tuple(
            row
            for row in self.snapshot.locks
            if inode and row.inode == inode and row.device == (device or row.device)
        )

    def locks_at(self, path: str) -> tuple[FileLock, ...]:
        """Return the locks on the file that a path names."""
        return tuple(row for row in self.snapshot.locks if row.path == path)

    def locks_awaited_by(self, pid: int) -> tuple[FileLock, ...]:
        """Return the locks that a process is queued for."""
        return tuple(row for row in self.snapshot.locks if pid in row.waiters)

    def beats_of(self, ref: ThreadRef) -> tuple[Beat, ...]:
        """Return the calls that a polling thread was heard to repeat."""
        return self._beats.get(ref, ())

    def repeat_of(self, ref: ThreadRef) -> Repeat | None:
        """Return whether a running thread came to new machine states, if that was looked at."""
        return self._repeats.get(ref)

    def path(self, path: str | None) -> PathFact | None:
        """Return what is known of a path."""
        return self._paths.get(path) if path else None


def ref_of(thread: Thread) -> ThreadRef:
    """Name a thread."""
    return ThreadRef(pid=thread.pid, tid=thread.tid)


def _tid(thread: Thread) -> int:
    return thread.tid


def _grouped(rows: Iterable[V], key: Callable[[V], K]) -> Mapping[K, tuple[V, ...]]:
    groups: defaultdict[K, list[V]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {name: tuple(group) for name, group in groups.items()}
