"""The format of a flight record: one file a process, fixed in size, little-endian.

A header, the start-up line, a ring of events, a table of string cells, and a slot of live state for
each thread. Writers need no lock, and a reader sees consistent data at any moment: a string is
complete before its id is used, an event is valid only once its number, written last, is right.
"""

from _struct import Struct

MAGIC = b"HBFLIGHT"
VERSION = 1
SUFFIX = ".flight"
DUMP_SUFFIX = ".dump"
LOST_FILE = "lost"
"""One byte for each process that got no record because the run's budget was spent."""
BUDGET = 64 << 20
"""Bytes that the records of one run may take together."""

HEADER = Struct("<8sIIIIIIIIQ")
"""Magic, version, size of the file, events, cells, threads, depth, pid, parent, start in ns."""
WORD = Struct("<I")
START_LENGTH = 52
FINISHED = 56
EXCEPTION = 60
LOST_STRINGS = 64
LOST_THREADS = 68
TEXT_TO = 72
"""Where the text of the uncaught exception went, one of the codes below."""
ENTRY_END = 76
"""Whether the entry script came to its end; 0 if that is not known."""
ENTRY_LINE = 80
"""The line at which it was left; 0 if only the entry statement tells."""
BECOMES = 84
"""Id of the program that exec was asked for last."""
TO_UNKNOWN, TO_STREAM, TO_CLOSED, TO_NULL, TO_DELETED, TO_HOOK = range(6)
RETURNED, LEFT, LEFT_ROUGHLY = 1, 2, 3
"""LEFT: it is left, or runs, exactly at that line; LEFT_ROUGHLY: that line was seen last."""
ENTRY = 96
"""Offset of the entry statement seen last, an event of its own."""
START = 128
RING = 8192
START_SIZE = RING - START

EVENT = Struct("<QIIIIHHI")
"""Time in ns, name, file, line, thread id, kind, flags, number (from 1, modulo 2 to the 32nd)."""
EVENT_SIZE = 32
TIME = Struct("<Q")
LINE_AT = 16
SINCE_AT = 28
"""On a live stack: the line an execution has come to, and milliseconds from its begin to then."""
MASK = 0xFFFFFFFF

CELL_SIZE = 64
CELL = Struct("<IHH56s")
"""The cell that holds what comes before (0: none), nothing, the length, the text."""
CELL_HEAD = Struct("<IHH")
CELL_HEAD_SIZE = 8
CELL_TEXT = CELL_SIZE - CELL_HEAD_SIZE
LONGEST = 40 * CELL_TEXT
"""Longest string that is kept, in bytes; more is cut off."""

THREAD_HEAD = 64
THREAD_TID = 0
THREAD_DEPTH = 4

IMPORT, IMPORTED, IMPORT_FAILED, CREATE, CREATED, EXEC, STATEMENT, CALL = range(1, 9)
FORK, EXEC_PROGRAM, EXCEPTION_EVENT, EXIT, NOTE, START_EVENT, CREATE_FAILED = range(9, 16)
PHASE, PHASE_DONE, PHASE_FAILED = range(16, 19)
KINDS = {
    START_EVENT: "start",
    IMPORT: "import",
    IMPORTED: "imported",
    IMPORT_FAILED: "import-failed",
    CREATE: "create",
    CREATED: "created",
    CREATE_FAILED: "create-failed",
    EXEC: "exec",
    STATEMENT: "statement",
    CALL: "call",
    FORK: "fork",
    EXEC_PROGRAM: "exec-program",
    EXCEPTION_EVENT: "exception",
    EXIT: "exit",
    NOTE: "note",
    PHASE: "phase",
    PHASE_DONE: "phase-done",
    PHASE_FAILED: "phase-failed",
}


class Geometry:
    """How much room a record has: events, string cells, threads, and entries a thread.

    Attributes:
        events: Slots of the ring, a power of two.
        cells: String cells.
        threads: Threads that may have a slot at the same time.
        depth: Nested imports (and executions) that a thread's slot holds.
    """

    __slots__ = (
        "cells",
        "cells_at",
        "depth",
        "events",
        "size",
        "slot_size",
        "threads",
        "threads_at",
    )

    def __init__(self, events: int, cells: int, threads: int, depth: int) -> None:
        self.events = events
        self.cells = cells
        self.threads = threads
        self.depth = depth
        self.cells_at = RING + events * EVENT_SIZE
        self.threads_at = self.cells_at + cells * CELL_SIZE
        self.slot_size = THREAD_HEAD + depth * EVENT_SIZE
        self.size = self.threads_at + threads * self.slot_size


FULL = Geometry(events=1 << 13, cells=3 << 12, threads=32, depth=94)
MEDIUM = Geometry(events=1 << 11, cells=3 << 10, threads=16, depth=94)
SMALL = Geometry(events=1 << 10, cells=1 << 10, threads=8, depth=62)
"""What a child gets after fork."""


def geometry_for(room: int, wanted: Geometry) -> "Geometry | None":
    """Choose how large a record may be where `room` bytes of the budget are left; None if none may.

    Each size may take half of what the larger one left, so a crowd of small helpers early in a run
    does not leave the trainer without a record.
    """
    for geometry, least in ((FULL, BUDGET // 2), (MEDIUM, BUDGET // 4), (SMALL, SMALL.size)):
        if geometry.size <= wanted.size and room >= least:
            return geometry
    return None


def file_name(pid: int, began: int, size: int) -> str:
    """Name the record of a process: its pid, its start in ns, its size in bytes."""
    return "%d-%d-%d%s" % (pid, began, size, SUFFIX)


def dump_name(pid: int, began: int) -> str:
    """Name the file for faulthandler's dump of that process."""
    return "%d-%d%s" % (pid, began, DUMP_SUFFIX)


def size_of(name: str) -> int:
    """Read a record's size in bytes from its name; 0 if it is no record's name."""
    if not name.endswith(SUFFIX):
        return 0
    parts = name[: -len(SUFFIX)].split("-")
    if len(parts) != 3 or not parts[2].isdigit():
        return 0
    return int(parts[2])


def encode_start(pairs: "list[tuple[str, str]]") -> bytes:
    """Encode the start-up line: keys and values, as many whole pairs as there is room for."""
    block = b""
    for key, value in pairs:
        pair = key.encode() + b"\0" + value.encode("utf-8", "backslashreplace") + b"\0"
        if len(block) + len(pair) <= START_SIZE:
            block += pair
    return block


def decode_start(block: bytes) -> "list[tuple[str, str]]":
    """Decode what `encode_start` made; an incomplete pair at the end is dropped."""
    parts = block.decode("utf-8", "replace").split("\0")
    return [(parts[at], parts[at + 1]) for at in range(0, len(parts) - 2, 2)]
