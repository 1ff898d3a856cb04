"""The writing side, read back."""

import gc
import os
import sys
from pathlib import Path

import pytest

from hangbisect.probe import mapping, recorder, wire
from hangbisect.probe.ring import Ring
from hangbisect.record import Record

TINY = wire.Geometry(events=64, cells=8, threads=1, depth=2)


@pytest.fixture
def ring(tmp_path: Path) -> Ring:
    return Ring(str(tmp_path), TINY, [("argv", "python")])


def test_what_is_written_is_read(ring: Ring, tmp_path: Path) -> None:
    ring.event(wire.IMPORT, "module", "/a/folder/of/names/file.py", 7, 42)
    (event,) = Record(tmp_path).poll()

    assert (event.what, event.name, event.file) == (
        "import",
        "module",
        "/a/folder/of/names/file.py",
    )
    assert (event.line, event.tid, event.pid) == (7, 42, os.getpid())


def test_files_of_one_folder_share_its_name(ring: Ring, tmp_path: Path) -> None:
    folder = "/a/" + "long/" * 20
    for name in "abcd":
        ring.event(wire.IMPORT, "", folder + name, 0, 1)
    record = Record(tmp_path)

    assert [event.file for event in record.poll()] == [folder + name for name in "abcd"]
    assert record.flights()[0].lost == 0


def test_strings_without_room_are_counted_and_events_are_kept(ring: Ring, tmp_path: Path) -> None:
    for number in range(12):
        ring.event(wire.IMPORT, f"module{number}", "", number, 1)
    record = Record(tmp_path)
    events = record.poll()

    assert [event.line for event in events] == list(range(12))
    assert [event.name for event in events] == [f"module{n}" for n in range(8)] + [""] * 4
    assert record.flights()[0].lost == 4


def test_threads_without_a_slot_are_counted(ring: Ring, tmp_path: Path) -> None:
    slot = ring.claim(1)
    none = ring.claim(2)
    assert slot is not None
    ring.release(slot)

    assert (none, ring.claim(3)) == (None, slot)
    assert Record(tmp_path).flights()[0].lost == 1


def test_imports_deeper_than_the_slot_are_cut_off(ring: Ring, tmp_path: Path) -> None:
    slot = ring.claim(1)
    assert slot is not None
    for depth in (1, 2, 3):
        ring.level(slot, depth, (wire.IMPORT, f"m{depth}", "", 0), 1)
    (deep,) = Record(tmp_path).flights()
    ring.lower(slot, 1)
    (shallow,) = Record(tmp_path).flights()

    assert [span.name for span in deep.open] == ["m1", "m2"]
    assert [span.name for span in shallow.open] == ["m1"]


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the system has no posix_fallocate")
def test_no_descriptor_is_left(tmp_path: Path) -> None:
    before = os.dup(0)
    os.close(before)
    mapping.create(str(tmp_path / "mapped"), 4096)
    gc.collect()
    after = os.dup(0)
    os.close(after)

    assert after == before


def test_what_is_kept_is_never_freed() -> None:
    freed = []

    class Kept:
        def __del__(self) -> None:
            freed.append(1)

    mapping.keep(Kept())
    gc.collect()

    assert (freed == []) or sys.version_info >= (3, 13)


def error_of(raise_it: object) -> BaseException:
    try:
        raise_it()  # type: ignore[operator]
    except BaseException as error:  # noqa: BLE001
        return error
    raise AssertionError


def interrupt() -> None:
    raise KeyboardInterrupt


def handler() -> None:
    raise TimeoutError


def test_errors_from_outside_are_told_from_our_own() -> None:
    own = error_of(lambda: Ring("/", None, []))  # type: ignore[arg-type]

    assert recorder.is_foreign(error_of(interrupt))
    assert recorder.is_foreign(error_of(handler))
    assert not recorder.is_foreign(own)
