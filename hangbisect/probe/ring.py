"""The writing side of one process's flight record."""

import itertools
import os
import time

from . import mapping, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Bound once: these run at every import.
_pack_event = wire.EVENT.pack_into
_pack_word = wire.WORD.pack_into
_pack_cell = wire.CELL.pack_into
_unpack_time = wire.TIME.unpack_from
_now = time.monotonic_ns
_MASK = wire.MASK
_RING = wire.RING
_STACK = wire.THREAD_HEAD
_DEPTH = wire.THREAD_DEPTH


class _Ids(dict):  # type: ignore[type-arg]
    """The ids of strings; one that is new is written first."""

    __slots__ = ("_intern",)

    def __init__(self, intern: "Callable[[str], int]") -> None:
        super().__init__({"": 0})
        self._intern = intern

    def __missing__(self, text: str) -> int:
        return self._intern(text)


class Ring:
    """One process's record. Needs no lock: slots and cells are handed out by atomic counters."""

    __slots__ = (
        "_cell",
        "_depth",
        "_entry",
        "_last",
        "_number",
        "began",
        "free",
        "geometry",
        "ids",
        "memory",
        "pid",
    )

    def __init__(
        self, folder: str, geometry: wire.Geometry, pairs: "list[tuple[str, str]]"
    ) -> None:
        """Open a new record in `folder`.

        Raises:
            OSError: The file could not be made.
        """
        self.geometry = geometry
        self._last = geometry.events - 1
        self._depth = geometry.depth
        self.pid = os.getpid()
        self.began = _now()
        name = wire.file_name(self.pid, self.began, geometry.size)
        self.memory = mapping.create(os.path.join(folder, name), geometry.size)
        self.ids: "dict[str, int]" = _Ids(self.intern)
        self.free = list(range(geometry.threads - 1, -1, -1))
        self._number = itertools.count(1).__next__
        self._cell = itertools.count(1).__next__
        self._entry = itertools.count(1).__next__
        self._head(pairs)

    def event(self, kind: int, name: str, file: str, line: int, tid: int) -> None:
        """Write one event."""
        ids = self.ids
        number = self._number()
        _pack_event(
            self.memory, _RING + (((number - 1) & self._last) << 5),
            _now(), ids[name], ids[file], line & _MASK, tid, kind, 0, number & _MASK,
        )  # fmt: skip

    def enter(
        self, at: int, depth: int, kind: int, name: str, file: str, line: int, tid: int
    ) -> None:
        """Write one event, and put it on a thread's live stack, where `depth` entries are."""
        ids = self.ids
        name_id = ids[name]
        file_id = ids[file]
        now = _now()
        memory = self.memory
        number = self._number()
        _pack_event(
            memory, _RING + (((number - 1) & self._last) << 5),
            now, name_id, file_id, line & _MASK, tid, kind, 0, number & _MASK,
        )  # fmt: skip
        if depth < self._depth:
            place = at + _STACK + (depth << 5)
            _pack_event(memory, place, now, name_id, file_id, line & _MASK, tid, kind, 0, 0)
        _pack_word(memory, at + _DEPTH, depth + 1)

    def entry(self, file: str, line: int) -> None:
        """Say at which statement the entry script stands."""
        file_id = self.ids[file]
        _pack_event(
            self.memory,
            wire.ENTRY,
            _now(),
            0,
            file_id,
            line & _MASK,
            self.pid,
            wire.STATEMENT,
            0,
            self._entry() & _MASK,
        )

    def word(self, at: int, value: int) -> None:
        """Write a word of the head."""
        _pack_word(self.memory, at, value)

    def level(self, at: int, depth: int, entry: "tuple[int, str, str, int]", tid: int) -> None:
        """Put on a thread's live stack what began before this record: `depth` counts from 1."""
        kind, name, file, line = entry
        if depth <= self.geometry.depth:
            place = at + _STACK + ((depth - 1) << 5)
            name_id, file_id = self.intern(name), self.intern(file)
            _pack_event(
                self.memory, place, self.began, name_id, file_id, line & _MASK, tid, kind, 0, 0
            )
        _pack_word(self.memory, at + _DEPTH, depth)

    def lower(self, at: int, depth: int) -> None:
        """Take entries off a thread's live stack: `depth` remain."""
        _pack_word(self.memory, at + _DEPTH, depth)

    def position(self, at: int, depth: int, line: int) -> None:
        """Say at which line of its module the innermost execution stands, and since when."""
        if depth <= self.geometry.depth:
            offset = at + wire.THREAD_HEAD + ((depth - 1) << 5)
            (began,) = _unpack_time(self.memory, offset)
            since = (_now() - began) // 1000000
            _pack_word(self.memory, offset + wire.SINCE_AT, since & _MASK)
            _pack_word(self.memory, offset + wire.LINE_AT, line & _MASK)

    def claim(self, tid: int) -> "int | None":
        """Give a thread a slot; None, and counted, if there are too many threads."""
        try:
            slot = self.free.pop()
        except IndexError:
            self._count(wire.LOST_THREADS)
            return None
        at = self.geometry.threads_at + slot * self.geometry.slot_size
        _pack_word(self.memory, at + wire.THREAD_DEPTH, 0)
        _pack_word(self.memory, at + wire.THREAD_TID, tid)
        return at

    def release(self, at: int) -> None:
        """Take back the slot of a thread that has ended."""
        _pack_word(self.memory, at + wire.THREAD_DEPTH, 0)
        _pack_word(self.memory, at + wire.THREAD_TID, 0)
        self.free.append((at - self.geometry.threads_at) // self.geometry.slot_size)

    def intern(self, text: str) -> int:
        """Give a string's id, writing it first if it is new; 0, and counted, without room."""
        known = self.ids.get(text)
        if known is not None:
            return known
        previous = 0
        written = text
        cut = text.rfind("/")
        if 0 < cut < wire.LONGEST // 2 and text.find("/", 0, cut) >= 0:
            # The files of a folder share the cells of its name: its text is what comes before.
            folder = text[:cut]
            previous = self.ids.get(folder) or self._write(folder, 0)
            self.ids[folder] = previous
            written = text[cut:] if previous else text
        number = self._write(written, previous)
        if number:
            self.ids[text] = number
        return number

    def _write(self, text: str, previous: int) -> int:
        """Write a string's cells behind the cell `previous`; 0 if there is no room."""
        data = text.encode("utf-8", "backslashreplace")
        if len(data) <= wire.CELL_TEXT:
            return self._write_cell(previous, data)
        data = data[: wire.LONGEST // 2]
        for begin in range(0, len(data), wire.CELL_TEXT):
            previous = self._write_cell(previous, data[begin : begin + wire.CELL_TEXT])
            if previous == 0:
                break
        return previous

    def exception(self, name: str, file: str, line: int, tid: int) -> None:
        """Note the type of the uncaught exception, and where it was raised."""
        self.event(wire.EXCEPTION_EVENT, name, file, line, tid)
        _pack_word(self.memory, wire.EXCEPTION, self.intern(name))

    def _write_cell(self, previous: int, data: bytes) -> int:
        number = self._cell()
        geometry = self.geometry
        if number > geometry.cells:
            self._count(wire.LOST_STRINGS)
            return 0
        at = geometry.cells_at + ((number - 1) << 6)
        _pack_cell(self.memory, at, previous, 0, len(data), data)
        return number

    def _count(self, word: int) -> None:
        (count,) = wire.WORD.unpack_from(self.memory, word)
        _pack_word(self.memory, word, min(count + 1, _MASK))

    def _head(self, pairs: "list[tuple[str, str]]") -> None:
        block = wire.encode_start(pairs)
        self.memory[wire.START : wire.START + len(block)] = block
        _pack_word(self.memory, wire.START_LENGTH, len(block))
        g = self.geometry
        wire.HEADER.pack_into(
            self.memory, 0, wire.MAGIC, wire.VERSION, g.size, g.events, g.cells, g.threads, g.depth,
            self.pid, os.getppid(), self.began,
        )  # fmt: skip
