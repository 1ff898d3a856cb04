"""How findings are put in order, and what happens when a rule fails."""

from pathlib import Path

import pytest

from hangbisect.causes import _rule
from hangbisect.causes._rule import Rule, recognise_all
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Snapshot
from hangbisect.model.codec import load
from hangbisect.waits import Reading, read

SAVED = Path(__file__).parents[1] / "causes" / "never_signalled" / "found-queue.json"


def _reading() -> Reading:
    document = load(SAVED)
    assert isinstance(document, Snapshot)
    return read(document)


def _rule_of(code: str, certainty: Certainty, specificity: int) -> Rule:
    class Fixed(Rule):
        def recognise(self, reading: Reading) -> Finding | None:
            return self.finding(
                certainty,
                "It waits.",
                blocker=Blocker(kind="lock", id="x"),
                evidence=(Evidence(ref="thread:1", shows="waits"),),
                fix=Fix(summary="Do not."),
                chain=None,
            )

    Fixed.code, Fixed.name, Fixed.specificity = code, code.lower(), specificity
    return Fixed()


class Broken(Rule):
    code = "HB999"
    name = "broken"
    specificity = 0

    def recognise(self, reading: Reading) -> Finding | None:
        raise ZeroDivisionError("a fault of ours")


def test_findings_come_by_certainty_then_specificity_then_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = (
        _rule_of("HB3", "likely", 10),
        _rule_of("HB2", "likely", 10),
        _rule_of("HB1", "possible", 90),
        _rule_of("HB5", "likely", 20),
        _rule_of("HB4", "proved", 0),
    )
    monkeypatch.setattr(_rule, "all_rules", lambda: rules)

    findings, gaps = recognise_all(_reading(), strict=True)

    assert [finding.code for finding in findings] == ["HB4", "HB5", "HB2", "HB3", "HB1"]
    assert gaps == ()


def test_a_failing_rule_is_a_gap_and_costs_no_other_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = (Broken(), _rule_of("HB1", "likely", 0))
    monkeypatch.setattr(_rule, "all_rules", lambda: rules)

    findings, gaps = recognise_all(_reading())

    assert [finding.code for finding in findings] == ["HB1"]
    assert [gap.what for gap in gaps] == ["cause HB999 broken"]
    assert "a fault of ours" in gaps[0].why


def test_a_failing_rule_is_raised_when_tests_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_rule, "all_rules", lambda: (Broken(),))

    with pytest.raises(ZeroDivisionError):
        recognise_all(_reading(), strict=True)
