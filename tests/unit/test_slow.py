"""What is said of a start that takes too long: that it goes on, or where it stands still."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hangbisect.model import Diagnosis, Snapshot
from hangbisect.model.codec import load
from hangbisect.report._headline import headline
from hangbisect.session import diagnose

FOLDER = Path(__file__).parents[1] / "causes"


def snapshot(name: str) -> Snapshot:
    document = load(FOLDER / f"{name}.json")
    assert isinstance(document, Snapshot)
    return document


def told(diagnosis: Diagnosis) -> str:
    return headline(diagnosis)[1]


def test_a_start_that_is_at_work_has_no_wait_chain():
    found = diagnose(snapshot("slow_import/found-reads"))

    assert (found.verdict, found.stalled_at, found.wait_chain, found.end) == (
        "slow",
        None,
        None,
        None,
    )
    assert "is still at work after 30 s: bytes read, CPU" in told(found)


def test_a_start_in_which_nothing_moves_says_since_when_and_what_it_waits_for():
    still = replace(snapshot("child_never_exits/found-copy-by-fork"), occasion="within", moving=())

    found = diagnose(still)

    assert found.verdict == "slow"
    assert found.stalled_at == 2.0
    assert found.wait_chain


@pytest.mark.parametrize(
    ("end", "moving", "says"),
    [
        ("timer", (), "sleeps, and will go on by itself, after 30 s."),
        (None, (), "has not returned, and nothing moves, after 30 s."),
        (None, ("CPU",), "is still at work after 30 s: CPU."),
    ],
)
def test_the_headline_says_work_only_where_something_moves(end, moving, says):
    found = replace(diagnose(snapshot("slow_import/found-reads")), end=end, moving=moving)

    assert told(found).endswith(says)
