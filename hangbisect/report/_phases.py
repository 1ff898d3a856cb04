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
        lines.append(f"phase in progress {_since(current)}: {clean(current.name)}")
    return lines


def _when(phase: Phase, time: float | None) -> str:
    seen = "seen " if phase.source == "stack" else ""
    return f"{seen}{duration(time or 0.0)} after the start"


def _since(phase: Phase) -> str:
    time = duration(phase.began or 0.0)
    if phase.source == "stack":
        return f"(seen from {time} after the start on)"
    return f"since {time} after the start"
