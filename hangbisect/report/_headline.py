"""The first line of a report: the verdict in plain words."""

from typing import assert_never

from hangbisect.model import Diagnosis, Step
from hangbisect.report._wording import action, clean, command, duration, place


def headline(diagnosis: Diagnosis) -> tuple[str, str]:
    """Return the verdict as a word with its certainty, and the sentence that goes with it."""
    return _word(diagnosis), _sentence(diagnosis)


def _word(diagnosis: Diagnosis) -> str:
    certainty = diagnosis.certainty
    if diagnosis.verdict == "hung" and certainty == "possible":
        return "PERHAPS HUNG"
    sure = f" ({certainty})" if certainty and diagnosis.verdict in ("hung", "slow") else ""
    return f"{diagnosis.verdict.upper()}{sure}"


def _sentence(diagnosis: Diagnosis) -> str:
    elapsed = duration(diagnosis.elapsed)
    match diagnosis.verdict:
        case "hung":
            return _hung(diagnosis)
        case "slow":
            doing = f"{_goes_on(diagnosis)} after {elapsed}{_moving(diagnosis)}"
            return f"{_subject(diagnosis)} {doing}."
        case "finished":
            return f"{_target(diagnosis)} ended after {elapsed}{_how(diagnosis)}."
        case "failed":
            return (
                f"{_target(diagnosis)} ended after {elapsed}{_how(diagnosis)}{_during(diagnosis)}."
            )
        case "crashed":
            return (
                f"{_target(diagnosis)} died after {elapsed}{_how(diagnosis)}{_during(diagnosis)}."
            )
        case "never-started":
            return f"{_target(diagnosis)} was never started."
        case "unknown":
            return f"what became of {_target(diagnosis)} is not known{_during(diagnosis)}."
        case _:
            assert_never(diagnosis.verdict)


def _hung(diagnosis: Diagnosis) -> str:
    if diagnosis.certainty == "proved":
        return f"{_subject(diagnosis)} never returns."
    quiet = diagnosis.elapsed - (diagnosis.stalled_at or 0.0)
    return f"{_subject(diagnosis)} has not returned, and nothing moved for {duration(quiet)}."


def _goes_on(diagnosis: Diagnosis) -> str:
    if diagnosis.end == "timer":
        return "sleeps, and will go on by itself,"
    return "is still at work" if diagnosis.moving else "has not returned, and nothing moves,"


def _moving(diagnosis: Diagnosis) -> str:
    return f": {', '.join(map(clean, diagnosis.moving))}" if diagnosis.moving else ""


def _subject(diagnosis: Diagnosis) -> str:
    if diagnosis.step is None:
        return f"{_target(diagnosis)}, at a step that could not be seen,"
    return _named(diagnosis.step, diagnosis)


def _named(step: Step, diagnosis: Diagnosis) -> str:
    if step.kind == "before-python":
        return f"the start of {_target(diagnosis)}, before any Python code,"
    where = place(step, diagnosis.target.cwd)
    if step.kind == "statement" and not step.name and where:
        return where
    what = f"`{action(step)}`" if step.kind != "phase" else action(step)
    return f"{what} at {where}" if where else what


def _target(diagnosis: Diagnosis) -> str:
    return f"`{command(diagnosis.target.argv, 50)}`"


def _how(diagnosis: Diagnosis) -> str:
    ending = diagnosis.target.exit
    if ending is None:
        return ""
    if ending.signal is not None:
        return f", ended by {ending.signal}"
    return f" with exit status {ending.code}"


def _during(diagnosis: Diagnosis) -> str:
    if diagnosis.step is not None:
        return f", in {_named(diagnosis.step, diagnosis).rstrip(',')}"
    if diagnosis.last_completed is not None:
        return f", after {_named(diagnosis.last_completed, diagnosis).rstrip(',')}"
    return ""
