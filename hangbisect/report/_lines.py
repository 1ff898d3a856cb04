"""What a report lists, in words: the same lines in every report for people."""

from hangbisect.model import Diagnosis, Finding, ProcessNote
from hangbisect.report._chain import chain_of
from hangbisect.report._wording import action, clean, command, duration, place


def since(diagnosis: Diagnosis) -> str:
    """Say when progress was seen last, and when the verdict was reached; "" without a stall."""
    stalled, seen = diagnosis.stalled_at, duration(diagnosis.elapsed)
    if stalled is None:
        return ""
    if 0 < diagnosis.watched_since >= stalled:
        watched = duration(diagnosis.watched_since)
        return f"Watched from {watched} to {seen} after the start: nothing moved."
    return f"Last progress {duration(stalled)} after the start, judged at {seen}."


def left(diagnosis: Diagnosis) -> str:
    """Say whether the target was ended or still runs; "" where that goes without saying."""
    if diagnosis.ended:
        return "hangbisect ended it."
    if diagnosis.target.exit is None and diagnosis.verdict in ("hung", "slow"):
        return "It was left running."
    return ""


def title(finding: Finding) -> str:
    """Name a finding by its code, its name and how sure it is."""
    return f"{clean(finding.code)} {clean(finding.name)} ({finding.certainty})"


def evidence(diagnosis: Diagnosis) -> list[str]:
    """List the evidence of the best finding, or of the wait chain where there is none."""
    if diagnosis.findings:
        return [f"{item.ref}: {item.shows}" for item in diagnosis.findings[0].evidence]
    return [line for link in chain_of(diagnosis) for line in link.evidence]


def gaps(diagnosis: Diagnosis) -> list[str]:
    """List what could not be seen, together where the reason is the same."""
    alike: dict[tuple[str, str], list[str]] = {}
    for gap in diagnosis.gaps:
        alike.setdefault((gap.why, gap.remedy), []).append(gap.what)
    return [
        f"{'; '.join(whats)}: {why}" + (f" ({remedy})" if remedy else "")
        for (why, remedy), whats in alike.items()
    ]


def processes(diagnosis: Diagnosis) -> list[str]:
    """List the processes of the tree; one alone needs no list."""
    if len(diagnosis.processes) < 2:
        return []
    return [_process(note, diagnosis) for note in diagnosis.processes]


def _process(note: ProcessNote, diagnosis: Diagnosis) -> str:
    parts = [f"{note.pid}", note.role, command(note.argv, 40), f"state {note.state}"]
    if note.step is not None:
        parts.append(f"{action(note.step, 30)} {place(note.step, diagnosis.target.cwd)}".rstrip())
    if note.why_not_hooked:
        parts.append(f"seen from outside only: {note.why_not_hooked}")
    return "  ".join(part for part in parts if part)
