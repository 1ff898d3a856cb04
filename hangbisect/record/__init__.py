"""Reads the flight record of a run: what every process's probe wrote, live or long after.

Files are read, never mapped (a file that shrinks must not kill us), and nothing in them is
believed: they may be torn, cut off, foreign or hostile. The format is `hangbisect.probe.wire`.
"""

import os
import threading
from collections import deque
from pathlib import Path

import msgspec

from hangbisect.model import Event, Flight
from hangbisect.probe import wire
from hangbisect.record._file import File
from hangbisect.record._flight import flight
from hangbisect.record._read import opened, read

_MOST_FILES = 4096
_DUMP_SIZE = 256 << 10
TAIL = 100
"""How many of the last events are kept."""


class Record:
    """The flight records in one folder, read again and again while they grow."""

    def __init__(self, folder: Path) -> None:
        """Read the records in `folder`, which need not exist yet."""
        self._folder = folder
        self._files: dict[str, File] = {}
        self._lock = threading.Lock()
        self._tail: deque[Event] = deque(maxlen=TAIL)

    def poll(self) -> tuple[Event, ...]:
        """Give the events of all processes that are new since the last poll, by time."""
        with self._lock:
            events = [_named(event, file) for file in self._advance() for event in file.take()]
            events.sort(key=lambda event: event.time)
            self._tail.extend(events)
        return tuple(events)

    def tail(self, zero: float) -> tuple[Event, ...]:
        """Give the last of the polled events, with times since `zero` (seconds on CLOCK_MONOTONIC).

        They are copies of what `poll` gave, at most `TAIL`, oldest first.
        """
        with self._lock:
            kept = tuple(self._tail)
        return tuple(msgspec.structs.replace(e, time=round(e.time - zero, 6)) for e in kept)

    def count(self) -> int:
        """Count the events written so far by all processes."""
        with self._lock:
            return sum(file.number for file in self._advance())

    def flights(self) -> tuple[Flight, ...]:
        """Give what is known of each process; of a pid that came again, the newest."""
        with self._lock:
            newest: dict[int, File] = {}
            for file in sorted(self._advance(), key=lambda file: file.began):
                newest[file.pid] = file
            return tuple(flight(file) for file in newest.values())

    def dump(self, pid: int) -> tuple[str, ...]:
        """Give the lines that faulthandler wrote for a process; () if none."""
        path = self.dump_path(pid)
        if path is None:
            return ()
        try:
            with opened(path) as descriptor:
                data = read(descriptor, 0, _DUMP_SIZE).rstrip(b"\0")
        except OSError:
            return ()
        return tuple(data.decode("utf-8", "replace").splitlines())

    def dump_path(self, pid: int) -> Path | None:
        """Give the file that faulthandler in this process writes to, if it has a record."""
        with self._lock:
            mine = [file.began for file in self._advance() if file.pid == pid]
        return self._folder / wire.dump_name(pid, max(mine)) if mine else None

    def unrecorded(self) -> int:
        """Count the processes that got no record because the run's budget was spent."""
        try:
            return (self._folder / wire.LOST_FILE).stat().st_size
        except OSError:
            return 0

    def _advance(self) -> "tuple[File, ...]":
        for name in self._names():
            if name not in self._files:
                file = File.read(self._folder / name)
                if file is not None:
                    self._files[name] = file
        for file in self._files.values():
            file.advance()
        return tuple(self._files.values())

    def _names(self) -> list[str]:
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return sorted(name for name in names if wire.size_of(name))[:_MOST_FILES]


def _named(event: Event, file: File) -> Event:
    """Add the command line to the event that says that a process started."""
    if event.what != wire.KINDS[wire.START_EVENT]:
        return event
    return msgspec.structs.replace(event, argv=flight(file).argv)
