"""Tells where two runs of the same tests differ, and whether that is a documented decision."""

from dataclasses import dataclass

from documented import DOCUMENTED
from outcomes import Run


@dataclass(frozen=True)
class Difference:
    """A test that ended otherwise under the probe."""

    test: str
    bare: str
    probed: str


def compare(bare: Run, probed: Run) -> tuple[Difference, ...]:
    """Give the tests whose outcomes differ; one that is missing counts as "missing"."""
    names = sorted(set(bare.outcomes) | set(probed.outcomes))
    pairs = [
        Difference(name, bare.outcomes.get(name, "missing"), probed.outcomes.get(name, "missing"))
        for name in names
    ]
    return tuple(pair for pair in pairs if pair.bare != pair.probed)


def undocumented(differences: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """Give those for which `documented.py` has no reason."""
    return tuple(one for one in differences if not _is_documented(one.test))


def _is_documented(test: str) -> bool:
    return any(test.endswith(name) for name in DOCUMENTED)
