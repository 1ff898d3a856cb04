"""Exit statuses, what is worth saying, and how it may look."""

import msgspec
import pytest

from hangbisect.cli._look import style
from hangbisect.cli._status import Meaning, exit_status, is_worth_saying
from hangbisect.model import Diagnosis, Exit, Finding, Verdict
from hangbisect.report import Style
from tests.golden.samples import CRASHED, FAILED, FINISHED, PROVED, SLOW, target


@pytest.mark.parametrize(
    ("meaning", "verdict", "status"),
    [
        ("verdict", "finished", 0),
        ("verdict", "hung", 1),
        ("verdict", "slow", 3),
        ("verdict", "failed", 4),
        ("verdict", "crashed", 5),
        ("verdict", "never-started", 6),
        ("verdict", "unknown", 125),
        ("bisect", "finished", 0),
        ("bisect", "hung", 1),
        ("bisect", "slow", 125),
        ("bisect", "failed", 125),
        ("bisect", "crashed", 125),
        ("child", "hung", 124),
    ],
)
def test_the_status_says_what_was_asked(meaning: Meaning, verdict: Verdict, status: int) -> None:
    assert exit_status(verdict, meaning, ended=True, interrupted=False) == status


@pytest.mark.parametrize("verdict", ["finished", "hung", "failed", "crashed"])
def test_by_default_it_is_the_targets_own(verdict: Verdict) -> None:
    assert exit_status(verdict, "child", ended=False, interrupted=False) is None


def test_a_target_that_a_person_gave_up_is_interrupted() -> None:
    assert exit_status("hung", "child", ended=True, interrupted=True) == 130


def with_ending(diagnosis: Diagnosis, ending: Exit, seen: tuple[Finding, ...] = ()) -> Diagnosis:
    return msgspec.structs.replace(diagnosis, target=target("run.py", ending=ending), findings=seen)


@pytest.mark.parametrize(
    ("diagnosis", "worth"),
    [
        (PROVED, True),
        (SLOW, True),
        (FINISHED, False),
        (FAILED, False),
        (CRASHED, True),
        (with_ending(CRASHED, Exit(signal="SIGSEGV")), True),
        (with_ending(CRASHED, Exit(signal="SIGINT")), False),
        (with_ending(FAILED, Exit(code=1), CRASHED.findings), True),
    ],
    ids=["hung", "slow", "finished", "failed", "crash", "crash bare", "ctrl-c", "silent death"],
)
def test_only_what_is_no_ordinary_end_is_said_unasked(diagnosis: Diagnosis, worth: bool) -> None:
    assert is_worth_saying(diagnosis) is worth


@pytest.mark.parametrize(
    ("terminal", "environment", "colour"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": "1"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    terminal: bool, environment: dict[str, str], colour: bool
) -> None:
    look = style(is_terminal=terminal, encoding="utf-8", columns=90, environment=environment)

    assert look == Style(width=90, colour=colour, ascii=False)


@pytest.mark.parametrize(
    ("encoding", "plain"), [("UTF-8", False), ("ascii", True), ("latin1", True)]
)
def test_ascii_is_for_terminals_that_have_no_more(encoding: str, plain: bool) -> None:
    assert style(is_terminal=True, encoding=encoding, columns=80, environment={}).ascii is plain
