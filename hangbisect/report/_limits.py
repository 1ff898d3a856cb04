"""How much of each list a terminal shows: as much as fits one screen."""

from hangbisect.model._struct import Data

SCREEN = 37
"""Lines of a report that leave room, on 40, for where the facts are kept and for the prompt."""
COLUMNS = 80


class Limits(Data, frozen=True, kw_only=True):
    """The most that is shown of each part: columns of one text, or items of a list.

    A list of 0 items is left to the other formats.
    """

    text: int
    """Of an item of evidence, a gap, a process."""
    label: int
    """Of a step and a link of the wait chain."""
    summary: int
    """Of the first line, of the cause in words and of the fix."""
    advice: int
    """Of a step of the fix."""
    steps: int
    links: int
    evidence: int
    others: int
    fix: int
    gaps: int
    processes: int
    asides: bool = True
    """Say what is good to know beside the main thing."""


def _limits(columns: tuple[int, int, int, int], items: tuple[int, ...], asides: bool) -> Limits:
    text, label, summary, advice = columns
    steps, links, evidence, others, fix, gaps, processes = items
    return Limits(
        text=text, label=label, summary=summary, advice=advice, steps=steps, links=links,
        evidence=evidence, others=others, fix=fix, gaps=gaps, processes=processes, asides=asides,
    )  # fmt: skip


LEVELS = (
    _limits((400, 400, 400, 400), (6, 6, 6, 2, 6, 4, 6), True),
    _limits((220, 300, 400, 300), (6, 5, 5, 1, 4, 3, 3), True),
    _limits((150, 220, 400, 230), (5, 5, 4, 1, 4, 2, 2), True),
    _limits((150, 220, 400, 230), (4, 4, 3, 0, 3, 1, 0), True),
    _limits((76, 150, 300, 150), (4, 4, 4, 0, 3, 1, 0), True),
    _limits((76, 110, 230, 150), (3, 3, 2, 0, 3, 1, 0), True),
    _limits((72, 56, 78, 70), (3, 3, 1, 0, 2, 1, 0), False),
)
"""From what is shown when there is room to what always fits."""


def room(width: int) -> int:
    """Return the lines a report may have: a narrow terminal scrolls, but shows as much."""
    return SCREEN * COLUMNS // min(width, COLUMNS)
