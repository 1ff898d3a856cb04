"""From a reading of the facts to the verdict. Pure."""

from hangbisect.model import Certainty, Snapshot, Verdict
from hangbisect.waits import Reading

SLEEPS = ("sleep", "timer")


def judge(snapshot: Snapshot, reading: Reading) -> tuple[Verdict, Certainty | None]:
    """Say whether the target is hung, and how sure that is.

    Dead by liveness is proved when nothing else in the tree is alive; everything else that made no
    progress for the whole patience is likely; a person's impatience makes it possible.
    """
    if snapshot.occasion == "ended":
        return _ended(snapshot), None
    if reading.hung:
        return "hung", "proved" if reading.alone else "likely"
    match snapshot.occasion:
        case "patience":
            return ("slow", None) if sleeps_until(snapshot, reading) else ("hung", "likely")
        case "interrupted":
            return "hung", "possible"
        case "attached":
            return ("hung", "possible") if snapshot.quiet_since is not None else ("unknown", None)
        case "within":
            return "slow", None
        case _:
            return "unknown", None


def sleeps_until(snapshot: Snapshot, reading: Reading) -> float | None:
    """Return the deadline of a single long sleep of the step's own thread, else None.

    A sleep shorter than the quiet time is a beat of a polling loop: it has ended and begun again.
    """
    wait = reading.waits.get(reading.main)
    thread = reading.index.thread(reading.main)
    call = thread.call if thread else None
    if wait is None or call is None or not call.timed or call.descriptors or call.word:
        return None
    quiet = snapshot.taken - (snapshot.quiet_since or 0.0)
    if call.deadline is None or call.deadline <= snapshot.taken:
        return None
    return call.deadline if call.interval is not None and call.interval > quiet else None


def _ended(snapshot: Snapshot) -> Verdict:
    ending = snapshot.ending
    if ending is None:
        return "unknown"
    if ending.signal:
        return "crashed"
    return "failed" if ending.code else "finished"
