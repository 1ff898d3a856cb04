"""The format: names, the start-up line, and how much room a record gets."""

import pytest

from hangbisect.probe import wire


def test_a_records_size_is_in_its_name() -> None:
    assert wire.size_of(wire.file_name(1, 2, 3)) == 3


@pytest.mark.parametrize("name", ["x.flight", "1-2-x.flight", "1-2.dump", "lost", "1-2-3-4.flight"])
def test_other_names_have_no_size(name: str) -> None:
    assert wire.size_of(name) == 0


def test_a_start_line_that_is_too_long_keeps_whole_pairs() -> None:
    pairs = [("argv", "x" * 3000)] * 5

    assert wire.decode_start(wire.encode_start(pairs)) == pairs[:2]


def test_characters_that_no_encoding_has_are_written_in_words() -> None:
    assert wire.decode_start(wire.encode_start([("cwd", "/\udcff")])) == [("cwd", "/\\udcff")]


@pytest.mark.parametrize(
    ("room", "wanted", "given"),
    [
        (wire.BUDGET, wire.FULL, wire.FULL),
        (wire.BUDGET // 2 - 1, wire.FULL, wire.MEDIUM),
        (wire.BUDGET // 4 - 1, wire.FULL, wire.SMALL),
        (wire.BUDGET, wire.SMALL, wire.SMALL),
        (wire.SMALL.size - 1, wire.SMALL, None),
    ],
)
def test_a_crowd_gets_smaller_records(
    room: int, wanted: wire.Geometry, given: wire.Geometry | None
) -> None:
    assert wire.geometry_for(room, wanted) is given


def test_a_whole_record_fits_often_into_the_budget() -> None:
    assert wire.FULL.size * 25 < wire.BUDGET // 2
    assert wire.FULL.events & (wire.FULL.events - 1) == 0
