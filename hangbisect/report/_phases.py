"""How far the start has come, in words: what was completed last, and what is in progress."""

from hangbisect.model import Diagnosis, Phase
from hangbisect.report._wording import clean, duration


def phase_lines(diagnosis: Diagnosis) -> list[str]:
    """Say both, each where it is known; nothing of a start that only the interpreter tells of."""
    done, current = diagnosis.phase_completed, diagnosis.phase_in_progress
    lines = []
    if done is not None and done.source != "record":
        lines.append(f"last completed phase: {clean(done.name)}, {_when(done, done.ended)}")
    if current is not None:
        since = "" if current.source == "stack" else "since "
        lines.append(
            f"phase in progress: {clean(current.name)}, {since}{_when(current, current.began)}"
        )
    return lines


def _when(phase: Phase, time: float | None) -> str:
    seen = "seen " if phase.source == "stack" else ""
    return f"{seen}{duration(time or 0.0)} after the start"
