"""What to try next when the cause is not known: honest, and no more than can be done today."""

from hangbisect.model import Diagnosis, End

_MEANS: dict[End, str] = {
    "cycle": "The wait chain closes on itself, so it cannot end; no known pattern says why.",
    "nobody": "Nobody is left who could end the wait; no known pattern says why.",
    "person": "The program waits for somebody to answer or to act.",
    "outside": "Only something outside this program can end the wait.",
    "running": "Something runs and does not come to an end: slow, or turning in circles.",
    "timer": "A timer ends this wait: it goes on by itself.",
    "unknown": "What could end the wait could not be seen.",
}
_NEXT: dict[End, tuple[str, ...]] = {
    "cycle": ("Let one of the places in the chain above let go before it waits.",),
    "nobody": ("Look for the thread or process that was to end the wait: did it ever start?",),
    "person": ("Give the answer as an argument, or run with `< /dev/null` to make it fail.",),
    "outside": ("Check that the last thing in the chain answers when asked by other means.",),
    "running": ("Give it more time with --patience, or profile the step above.",),
    "timer": ("Wait, or shorten the time limit in the program.",),
    "unknown": (),
}


def meaning(diagnosis: Diagnosis) -> str:
    """Say what is known although no cause was recognised."""
    if diagnosis.verdict == "unknown":
        return "Too little could be seen to say."
    return "The cause is unknown. " + _MEANS[diagnosis.end or "unknown"]


def next_steps(diagnosis: Diagnosis) -> tuple[str, ...]:
    """Say what to try, most useful first; remedies of gaps are part of it."""
    remedies = tuple(dict.fromkeys(gap.remedy for gap in diagnosis.gaps if gap.remedy))
    return (*_NEXT[diagnosis.end or "unknown"], *remedies[:2], *_look_again(diagnosis))


def _look_again(diagnosis: Diagnosis) -> tuple[str, ...]:
    kept = diagnosis.target.exit is None and not diagnosis.ended
    if kept and diagnosis.verdict == "hung":
        return (f"It still runs: look again with `hangbisect attach {diagnosis.target.pid}`.",)
    return ("Run again with `--on-hang keep --log FILE` to keep it, and what led there.",)
