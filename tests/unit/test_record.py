"""Reading flight records: whole, growing, overwritten, torn, cut off, foreign and hostile."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hangbisect.model import Event
from hangbisect.probe import wire
from hangbisect.record import TAIL, Record

PID = 100
BEGAN = 7_000_000_000
TINY = wire.Geometry(events=64, cells=16, threads=2, depth=4)


class Made:
    """A record made by hand, byte by byte."""

    def __init__(self, folder: Path, geometry: wire.Geometry = TINY) -> None:
        self.geometry = geometry
        self.path = folder / wire.file_name(PID, BEGAN, geometry.size)
        self.path.write_bytes(bytes(geometry.size))
        g = geometry
        sizes = (g.size, g.events, g.cells, g.threads, g.depth)
        self.write(0, wire.HEADER.pack(wire.MAGIC, wire.VERSION, *sizes, PID, 1, BEGAN))

    def write(self, at: int, data: bytes) -> None:
        with self.path.open("r+b") as file:
            file.seek(at)
            file.write(data)

    def text(self, number: int, text: str, previous: int = 0) -> None:
        at = self.geometry.cells_at + (number - 1) * wire.CELL_SIZE
        data = text.encode()
        self.write(at, wire.CELL_HEAD.pack(previous, 0, len(data)) + data)

    def event(self, number: int, kind: int, name: int = 0, line: int = 0, tid: int = PID) -> None:
        slot = (number - 1) % self.geometry.events
        raw = wire.EVENT.pack(BEGAN + number, name, 0, line, tid, kind, 0, number)
        self.write(wire.RING + slot * wire.EVENT_SIZE, raw)

    def live(self, slot: int, tid: int, *entries: tuple[int, int, int]) -> None:
        at = self.geometry.threads_at + slot * self.geometry.slot_size
        self.write(at, wire.WORD.pack(tid) + wire.WORD.pack(len(entries)))
        for depth, (kind, name, line) in enumerate(entries):
            raw = wire.EVENT.pack(BEGAN, name, 0, line, tid, kind, 0, 0)
            self.write(at + wire.THREAD_HEAD + depth * wire.EVENT_SIZE, raw)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


@pytest.fixture
def record(tmp_path: Path, made: Made) -> Record:
    return Record(tmp_path)


def lines(events: tuple[Event, ...]) -> list[int]:
    return [event.line for event in events]


def test_events_come_once_each(made: Made, record: Record) -> None:
    made.event(1, wire.IMPORT, line=1)
    first = record.poll()
    made.event(2, wire.IMPORT, line=2)
    second = record.poll()

    assert (lines(first), lines(second), record.poll(), record.count()) == ([1], [2], (), 2)


def test_the_tail_is_the_last_that_was_polled(made: Made, record: Record) -> None:
    made.event(1, wire.NOTE, line=1)
    made.event(2, wire.NOTE, line=2)
    before = record.tail(0.0)

    record.poll()
    after = record.tail(BEGAN / 1e9 - 1)

    assert before == ()
    assert [(event.line, event.time) for event in after] == [(1, 1.0), (2, 1.0)]


def test_the_tail_is_bounded(made: Made, record: Record) -> None:
    for number in range(1, 4 * TAIL):
        made.event(number, wire.NOTE, line=number)
        record.poll()

    lines = [event.line for event in record.tail(0.0)]

    assert lines == list(range(3 * TAIL, 4 * TAIL))


def test_a_string_may_span_cells(made: Made, record: Record) -> None:
    made.text(1, "package.")
    made.text(2, "module", previous=1)
    made.event(1, wire.IMPORT, name=2)

    assert [event.name for event in record.poll()] == ["package.module"]


def test_strings_that_go_round_in_a_circle_end(made: Made, record: Record) -> None:
    made.text(1, "a", previous=2)
    made.text(2, "b", previous=1)
    made.event(1, wire.IMPORT, name=1)

    (event,) = record.poll()
    assert 0 < len(event.name) <= wire.LONGEST


def test_an_event_not_yet_written_is_waited_for_and_later_ones_are_not(
    made: Made, record: Record
) -> None:
    made.event(1, wire.IMPORT, line=1)
    made.event(3, wire.IMPORT, line=3)
    first = record.poll()
    made.event(2, wire.IMPORT, line=2)
    second = record.poll()

    assert (lines(first), lines(second), record.count()) == ([1, 3], [2], 3)


def test_what_was_overwritten_is_counted_as_lost(made: Made, record: Record) -> None:
    for number in range(1, 201):
        made.event(number, wire.IMPORT, line=number)
    events = record.poll()
    (flight,) = record.flights()

    assert lines(events)[-1] == 200
    assert lines(events) == sorted(lines(events))
    assert (flight.events, flight.lost) == (200, 200 - TINY.events)


def test_a_reader_that_was_overtaken_goes_on_with_the_newest(made: Made, record: Record) -> None:
    for number in range(1, 11):
        made.event(number, wire.IMPORT, line=number)
    record.poll()
    for number in range(11, 150):
        made.event(number, wire.IMPORT, line=number)
    events = record.poll()

    assert lines(events)[-1] == 149
    assert record.count() == 149


def test_the_live_stacks_are_what_is_open(made: Made, record: Record) -> None:
    made.text(1, "outer")
    made.text(2, "inner")
    made.live(0, PID, (wire.IMPORT, 1, 3), (wire.EXEC, 1, 9), (wire.IMPORT, 2, 4))
    made.live(1, 101, (wire.CREATE, 2, 0))
    (flight,) = record.flights()

    assert [(span.kind, span.name, span.line, span.tid) for span in flight.open] == [
        ("import", "outer", 3, PID),
        ("exec", "outer", 9, PID),
        ("call", "", 9, PID),
        ("import", "inner", 4, PID),
        ("create", "inner", 0, 101),
    ]


def test_the_last_completed_import_has_both_its_times(made: Made, record: Record) -> None:
    made.text(1, "module")
    made.event(1, wire.IMPORT, name=1, line=5)
    made.event(2, wire.IMPORTED, name=1)
    (flight,) = record.flights()

    assert flight.last is not None
    assert (flight.last.name, flight.last.line) == ("module", 5)
    assert flight.last.began == pytest.approx((BEGAN + 1) / 1e9)
    assert flight.last.ended == pytest.approx((BEGAN + 2) / 1e9)


def test_the_start_line_is_read(made: Made, record: Record) -> None:
    pairs = [
        ("argv", "python"),
        ("argv", "run.py"),
        ("cwd", "/w"),
        ("env", "RANK=1"),
        ("note", "n"),
    ]
    block = wire.encode_start(pairs)
    made.write(wire.START, block)
    made.write(wire.START_LENGTH, wire.WORD.pack(len(block)))
    (flight,) = record.flights()

    assert (flight.argv, flight.cwd) == (("python", "run.py"), "/w")
    assert (flight.environment, flight.notes) == ((("RANK", "1"),), ("n",))


def test_of_a_pid_that_came_again_the_newest_counts(made: Made, record: Record) -> None:
    later = made.path.with_name(wire.file_name(PID, BEGAN + 1, TINY.size))
    data = bytearray(made.path.read_bytes())
    data[40:48] = (BEGAN + 1).to_bytes(8, "little")
    later.write_bytes(data)
    (flight,) = record.flights()

    assert flight.began == (BEGAN + 1) / 1e9


def cut(path: Path) -> None:
    os.truncate(path, 9000)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def replace(at: int, data: bytes) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        whole = bytearray(path.read_bytes())
        whole[at : at + len(data)] = data
        path.write_bytes(whole)

    return change


def link(path: Path) -> None:
    other = path.with_name("other")
    path.rename(other)
    path.symlink_to(other)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


BAD = {
    "cut off": cut,
    "empty": empty,
    "foreign": replace(0, b"\x7fELF\2\1\1\0"),
    "of another version": replace(8, b"\xff\0\0\0"),
    "not begun": replace(40, bytes(8)),
    "huge by its own words": replace(16, b"\0\0\0\x80"),
    "with no ring": replace(16, bytes(4)),
    "a link": link,
    "a pipe": pipe,
}


@pytest.mark.parametrize("spoil", BAD.values(), ids=BAD)
def test_a_file_that_is_no_record_is_passed_by(
    made: Made, record: Record, spoil: Callable[[Path], None]
) -> None:
    made.event(1, wire.IMPORT)
    spoil(made.path)

    assert (record.poll(), record.count(), record.flights()) == ((), 0, ())


def test_a_record_that_is_cut_off_while_it_is_read_hurts_nobody(made: Made, record: Record) -> None:
    made.event(1, wire.IMPORT, line=1)
    record.poll()
    cut(made.path)
    (flight,) = record.flights()

    assert (record.poll(), flight.pid, flight.open) == ((), PID, ())


def test_noise_in_every_place_is_read_without_an_error(made: Made, record: Record) -> None:
    noise = bytes((index * 7919) % 251 for index in range(TINY.size - wire.START_LENGTH))
    made.write(wire.START_LENGTH, noise)

    record.poll()
    (flight,) = record.flights()
    assert flight.pid == PID


def test_a_dump_is_read(made: Made, record: Record, tmp_path: Path) -> None:
    (tmp_path / wire.dump_name(PID, BEGAN)).write_text("Fatal Python error: Aborted\n\nline\n")

    assert record.dump(PID) == ("Fatal Python error: Aborted", "", "line")
    assert record.dump(PID + 1) == ()


def test_processes_without_a_record_are_counted(record: Record, tmp_path: Path) -> None:
    before = record.unrecorded()
    (tmp_path / wire.LOST_FILE).write_bytes(b"..")

    assert (before, record.unrecorded()) == (0, 2)


def test_a_folder_that_is_not_there_is_an_empty_record(tmp_path: Path) -> None:
    record = Record(tmp_path / "none")

    assert (record.poll(), record.count(), record.flights(), record.dump(1)) == ((), 0, (), ())
