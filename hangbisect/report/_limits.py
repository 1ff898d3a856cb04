"""How much of each list a terminal shows: as much as fits one screen."""

from hangbisect.model._struct import Data

SCREEN = 38
"""Lines of a report that leave room, on 40, for the line that follows it and the prompt."""
COLUMNS = 80


class Limits(Data, frozen=True, kw_only=True):
    """The most that is shown of each part; 0 leaves it to the other formats."""

    text: int
    """Columns of one item."""
    summary: int
    """Columns of the first line, of the cause in words and of the fix."""
    steps: int
    links: int
    evidence: int
    others: int
    fix: int
    gaps: int
    processes: int
    asides: bool = True
    """Say what is good to know beside the main thing."""


LEVELS = (
    Limits(
        text=400, summary=400, steps=6, links=6, evidence=6, others=2, fix=6, gaps=4, processes=6
    ),
    Limits(
        text=220, summary=400, steps=6, links=5, evidence=5, others=1, fix=4, gaps=3, processes=3
    ),
    Limits(
        text=140, summary=300, steps=4, links=4, evidence=4, others=1, fix=3, gaps=2, processes=2
    ),
    Limits(
        text=130, summary=220, steps=3, links=3, evidence=3, others=0, fix=3, gaps=1, processes=0
    ),
    Limits(
        text=56, summary=150, steps=3, links=3, evidence=2, others=0, fix=2, gaps=1, processes=0,
        asides=False,
    ),
)  # fmt: skip
"""From what is shown when there is room to what always fits."""


def room(width: int) -> int:
    """Return the lines a report may have: a narrow terminal scrolls, but shows as much."""
    return SCREEN * COLUMNS // min(width, COLUMNS)
