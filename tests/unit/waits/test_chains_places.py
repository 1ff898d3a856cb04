"""Each link of a wait chain says where the code of its thread stands."""

import pytest

from hangbisect.model import Frame
from tests.unit.waits.builder import futex, reading, thread

LIBRARY = Frame(function="wait", file="/usr/lib/python3.11/threading.py", line=327)


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        ((Frame(function="work", file="/srv/run.py", line=6),), "/srv/run.py:6"),
        ((Frame(function="work", file="/srv/run.py", line=6), LIBRARY), "/srv/run.py:6"),
        ((Frame(function="<module>", file="<string>", line=2), LIBRARY), "<string>:2"),
        ((LIBRARY,), ""),
        ((), ""),
    ],
)
def test_a_link_says_the_place_outside_the_standard_library(
    frames: tuple[Frame, ...], said: str
) -> None:
    links = reading(thread(100, futex(), frames=frames)).chain.links

    assert [link.at for link in links] == [said]
