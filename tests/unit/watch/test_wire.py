import os

import pytest

from hangbisect.model import Facts, Gap, Sample
from hangbisect.watch.wire import COMPLETE, Part, PartReader, write_part

PARTS = [
    Part(facts=Facts(gaps=(Gap(what="a", why="b"),))),
    Part(sample=Sample(time=1.5)),
    Part(facts=Facts()),
    Part(gap=Gap(what="c", why="d")),
    COMPLETE,
]


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_parts_are_put_together_whatever_the_pieces(size: int) -> None:
    reading, writing = os.pipe()
    for part in PARTS:
        write_part(writing, part)
    os.close(writing)
    reader, found = PartReader(), []

    while data := os.read(reading, size):
        found += reader.feed(data)
    os.close(reading)

    assert found == PARTS


def test_a_torn_part_is_not_taken_for_one() -> None:
    reading, writing = os.pipe()
    write_part(writing, PARTS[0])
    data = os.read(reading, 1000)
    os.close(reading)
    os.close(writing)

    assert list(PartReader().feed(data[:-1])) == []
