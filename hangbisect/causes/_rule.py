"""What a cause is, how causes are found, and how all of them are asked about one reading."""

import inspect
import traceback
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import ClassVar

from hangbisect.discover import modules_in
from hangbisect.errors import UsageError
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Gap
from hangbisect.waits import Chain, Reading

HEADINGS = (
    "What happens",
    "Why",
    "How it is recognised",
    "How it is proved",
    "Fix",
    "References",
)
"""The headings of every cause's docstring, in this order; each is a line that begins with "## "."""

RANKS: tuple[Certainty, ...] = ("proved", "likely", "possible", "refuted")


class Rule(ABC):
    """A cause: how it is recognised in the facts, and what helps.

    A module of this package without a leading underscore holds one, as `cause`. The module is named
    after the cause, and its docstring is what `hangbisect explain` prints.
    """

    code: ClassVar[str]
    """The public handle, for example "HB201"; never used again for another cause."""
    name: ClassVar[str]
    """The words for it, for example "loader-lock-deadlock"."""
    specificity: ClassVar[int]
    """Among findings of equal certainty the more special one comes first. From 0 to 100."""

    @abstractmethod
    def recognise(self, reading: Reading) -> Finding | None:
        """Return what was found, or None where the facts do not show this cause.

        "proved" is for facts that leave no other explanation; anything less is "likely".
        """

    def finding(
        self,
        certainty: Certainty,
        summary: str,
        *,
        blocker: Blocker,
        evidence: Sequence[Evidence],
        fix: Fix,
        chain: Chain | None,
    ) -> Finding:
        """Make the Finding; `chain` is the witness, None where no process is left to wait."""
        return Finding(
            code=self.code,
            name=self.name,
            certainty=certainty,
            summary=summary,
            blocker=blocker,
            wait_chain=chain.links if chain else (),
            end=chain.end if chain else "unknown",
            evidence=tuple(evidence),
            fix=fix,
        )


def all_rules() -> tuple[Rule, ...]:
    """Return every cause, in order of code."""
    found = (rule_of(module) for module in modules_in(import_module("hangbisect.causes")))
    return tuple(sorted(found, key=lambda rule: rule.code))


def rule_of(module: ModuleType) -> Rule:
    """Return the cause that a module holds."""
    rule = module.cause
    assert isinstance(rule, Rule), f"{module.__name__}.cause is not a Rule"
    return rule


def recognise_all(
    reading: Reading, *, strict: bool = False
) -> tuple[tuple[Finding, ...], tuple[Gap, ...]]:
    """Ask every cause, and return the findings, best first, with a Gap for each that failed.

    Best is what is surest, then what is most special, then the lower code. With `strict` the error
    of a cause is raised: a fault of ours must not hide in a test.
    """
    found: list[tuple[Rule, Finding]] = []
    gaps: list[Gap] = []
    for rule in all_rules():
        try:
            finding = rule.recognise(reading)
        except Exception:  # one broken cause must not cost the user the other answers
            if strict:
                raise
            gaps.append(_failed(rule))
        else:
            if finding is not None:
                found.append((rule, finding))
    found.sort(key=_order)
    return tuple(finding for _, finding in found), tuple(gaps)


def explain(code_or_name: str) -> str:
    """Return the page of a cause, asked for by code ("HB201") or by name, as Markdown."""
    wanted = code_or_name.strip().lower()
    for rule in all_rules():
        if wanted in (rule.code.lower(), rule.name):
            return page(rule)
    known = ", ".join(f"{rule.code} {rule.name}" for rule in all_rules())
    raise UsageError(f"no cause is called {code_or_name!r}", help=f"Known are: {known}.")


def page(rule: Rule) -> str:
    """Return the page of a cause: its code and name as the title, then its module's docstring."""
    text = inspect.cleandoc(inspect.getmodule(rule).__doc__ or "")
    return f"# {rule.code} {rule.name}\n\n{text}\n"


def _order(pair: tuple[Rule, Finding]) -> tuple[int, int, str]:
    rule, finding = pair
    return RANKS.index(finding.certainty), -rule.specificity, rule.code


def _failed(rule: Rule) -> Gap:
    return Gap(
        what=f"cause {rule.code} {rule.name}",
        why=f"its rule failed:\n{traceback.format_exc()}",
        remedy="this is a fault of hangbisect: please report it with the saved snapshot",
    )
