"""One process's record: its events, read in order as they come, and its strings."""

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from hangbisect.model import Event, Span
from hangbisect.model.flight import SpanKind
from hangbisect.probe import wire
from hangbisect.record._read import opened, read

_LARGEST = 16 << 20
_CHUNK = 256
_AHEAD = 32
"""Events that other threads may have finished while one is still being written."""

Raw = tuple[int, int, int, int, int, int, int, int]
"""Time, name, file, line, thread, kind, flags, number."""


class File:
    """One process's record, and how far it has been read."""

    def __init__(
        self, path: Path, geometry: wire.Geometry, pid: int, parent: int, began: int
    ) -> None:
        self.pid = pid
        self.began = began
        self.number = 0
        """The last event that was seen."""
        self.path = path
        self.geometry = geometry
        self.parent = parent
        self._skipped = 0
        self._holes: list[int] = []
        self._new: deque[Raw] = deque(maxlen=geometry.events)
        self._texts = {0: ""}
        self._begun: dict[int, list[Raw]] = {}
        self._statement: Raw | None = None
        self.last: Span | None = None
        """What was completed last."""
        self.notes: list[str] = []
        self.left: Span | None = None
        """Where SystemExit was raised that left an import, if no other was begun after."""
        self.left_import: Span | None = None
        """That import."""
        self.thrown: Span | None = None
        """Where the uncaught exception was raised."""
        self._failed: Raw | None = None
        self.becomes = ""
        """The program that exec, the newest event, was asked for."""

    @classmethod
    def read(cls, path: Path) -> "File | None":
        """Read a record's header; None if it is no record, or not one yet."""
        try:
            with opened(path) as descriptor:
                data = read(descriptor, 0, wire.HEADER.size)
                size = os.fstat(descriptor).st_size
        except OSError:
            return None
        magic, version, whole, events, cells, threads, depth, pid, parent, began = (
            wire.HEADER.unpack(data)
        )
        if magic != wire.MAGIC or version != wire.VERSION or began == 0:
            return None
        if not (0 < events <= 1 << 18 and events & (events - 1) == 0):
            return None
        geometry = wire.Geometry(events, cells, threads, depth)
        if geometry.size != whole or whole > min(size, _LARGEST):
            return None
        return cls(path, geometry, pid, parent, began)

    def advance(self) -> None:
        """Read on to the newest event."""
        try:
            with opened(self.path) as descriptor:
                self._fill_holes(descriptor)
                for _ in range(8 + 4 * self.geometry.events // _CHUNK):
                    if not self._read_chunk(descriptor):
                        break
        except OSError:
            return

    def take(self) -> Iterator[Event]:
        """Give the events that are new since the last time."""
        taken = sorted(self._new, key=lambda raw: raw[0])
        self._new.clear()
        for time, name, file, line, tid, kind, _, _ in taken:
            what = wire.KINDS.get(kind)
            if what is None:
                continue
            yield Event(
                time=time / 1e9, pid=self.pid, tid=tid, what=what,
                name=self.text(name), file=self.text(file), line=line,
            )  # fmt: skip

    def _read_chunk(self, descriptor: int) -> bool:
        """Read some slots from the next event on; True if there may be more."""
        events = self.geometry.events
        index = self.number % events
        slots = min(_CHUNK, events - index)
        data = read(descriptor, wire.RING + index * wire.EVENT_SIZE, slots * wire.EVENT_SIZE)
        raws: list[Raw] = list(wire.EVENT.iter_unpack(data))
        begin = self.number
        for at, raw in enumerate(raws):
            expected = (self.number + 1) & wire.MASK
            gone = (raw[7] - expected) & wire.MASK
            if gone == 0:
                self.number += 1
                self._see(raw)
            elif raw[7] and gone % events == 0 and gone < 1 << 31:
                # The writer has come round: go on with the oldest that it left.
                self._skipped += gone - events + 1
                self.number += gone - events + 1 + _AHEAD
                return True
            elif self._is_hole(raws, at):
                self.number += 1
                self._holes = [*self._holes[-63:], self.number]
            else:
                return False
        return self.number > begin

    def _is_hole(self, raws: list[Raw], at: int) -> bool:
        """Tell whether a later event is there already: another thread was faster."""
        later = enumerate(raws[at + 1 : at + 1 + _AHEAD], self.number + 2)
        return any(raw[7] == number & wire.MASK for number, raw in later)

    def _fill_holes(self, descriptor: int) -> None:
        for number in tuple(self._holes):
            index = (number - 1) % self.geometry.events
            data = read(descriptor, wire.RING + index * wire.EVENT_SIZE, wire.EVENT_SIZE)
            raw: Raw = wire.EVENT.unpack(data)
            if raw[7] == number & wire.MASK:
                self._see(raw)
                self._holes.remove(number)
            elif (raw[7] - number) & wire.MASK < 1 << 31 and raw[7]:
                self._holes.remove(number)

    def _see(self, raw: Raw) -> None:
        self._new.append(raw)
        time, name, _, _, tid, kind, _, _ = raw
        self._see_end(raw)
        if kind == wire.IMPORT:
            self._begun.setdefault(tid, []).append(raw)
        elif kind in (wire.IMPORTED, wire.IMPORT_FAILED):
            begun = self._begun.get(tid, [])
            while begun:
                began = begun.pop()
                if began[1] == name:
                    self._failed = began if kind == wire.IMPORT_FAILED else None
                    if kind == wire.IMPORTED:
                        self.last = self.span(began, "import", ended=time)
                    break
        elif kind == wire.NOTE and len(self.notes) < 20:
            self.notes.append(self.text(name))
        elif kind == wire.STATEMENT:
            if self._statement is not None:
                self.last = self.span(self._statement, "statement", ended=time)
            self._statement = raw

    def _see_end(self, raw: Raw) -> None:
        """Keep what may turn out to have been the end."""
        _, name, file, _, _, kind, _, _ = raw
        self.becomes = self.text(name) if kind == wire.EXEC_PROGRAM else ""
        if kind == wire.EXIT:
            self.left = self.span(raw, "exit")
            self.left_import = self._failed and self.span(self._failed, "import")
        elif kind == wire.EXCEPTION_EVENT:
            self.thrown = self.span(raw, "exit") if file else None
        elif kind == wire.IMPORT:
            self.left = self.left_import = None

    def span(self, raw: Raw, kind: SpanKind, ended: int | None = None) -> Span:
        """Make a span of the event that begins it."""
        time, name, file, line, tid, _, _, _ = raw
        return Span(
            kind=kind,
            name=self.text(name),
            file=self.text(file),
            line=line,
            tid=tid,
            began=time / 1e9,
            ended=None if ended is None else ended / 1e9,
        )

    def text(self, number: int) -> str:
        """Give a string by its id; "" if it is not there."""
        known = self._texts.get(number)
        if known is not None:
            return known
        try:
            with opened(self.path) as descriptor:
                text = self._read_text(descriptor, number)
        except OSError:
            return ""
        if text:
            self._texts[number] = text
        return text

    def _read_text(self, descriptor: int, number: int) -> str:
        parts: list[bytes] = []
        while 0 < number <= self.geometry.cells and len(parts) * wire.CELL_TEXT < wire.LONGEST:
            at = self.geometry.cells_at + (number - 1) * wire.CELL_SIZE
            cell = read(descriptor, at, wire.CELL_SIZE)
            number, _, length = wire.CELL_HEAD.unpack_from(cell)
            parts.append(cell[wire.CELL_HEAD_SIZE :][: min(length, wire.CELL_TEXT)])
        return b"".join(reversed(parts)).decode("utf-8", "replace")
