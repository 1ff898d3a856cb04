"""From a reading of the facts to the verdict. Pure."""

from hangbisect.model import Certainty, Snapshot, Verdict
from hangbisect.waits import Reading


def judge(snapshot: Snapshot, reading: Reading) -> tuple[Verdict, Certainty | None]:
    """Say whether the target is hung, and how sure that is.

    Dead by liveness is proved when nothing else in the tree is alive. A dead main thread beside
    others that live may be a launcher whose children serve, so that needs the whole patience, as
    everything else that made no progress; a person's impatience makes it possible.
    """
    if snapshot.occasion == "ended":
        return _ended(snapshot), None
    if reading.hung and reading.alone:
        return "hung", "proved"
    match snapshot.occasion:
        case "patience" if prompts(reading):
            return "unknown", None
        case "patience":
            return ("slow", None) if sleeps_until(snapshot, reading) else ("hung", "likely")
        case "interrupted":
            return "hung", "likely" if reading.hung else "possible"
        case "attached" if snapshot.quiet_since is None or sleeps_until(snapshot, reading):
            return "slow", None
        case "attached":
            return "hung", "possible"
        case "within":
            return "slow", None
        case _:
            return "unknown", None


def prompts(reading: Reading) -> bool:
    """Tell whether all waits for a person who has the prompt before them: no hang, however long."""
    last = reading.chain.threads[-1] if reading.chain.threads else reading.main
    thread, process = reading.index.thread(last), reading.index.process(last.pid)
    call = thread.call if thread else None
    if call is None or process is None or call.writes or reading.chain.end != "person":
        return False
    rows = [reading.index.descriptor(last.pid, fd) for fd in call.descriptors]
    asked = any(row is not None and row.kind == "terminal" for row in rows)
    return asked and process.terminal != 0 and process.foreground == process.group


def sleeps_until(snapshot: Snapshot, reading: Reading) -> float | None:
    """Return when a single long sleep of the step's own thread ends, else None.

    Only one that has lasted as long as nothing moved: a beat of a polling loop has ended and begun
    again meanwhile.
    """
    thread = reading.index.thread(reading.main)
    call = thread.call if thread else None
    if thread is None or thread.since is None or call is None:
        return None
    if not call.timed or call.descriptors or call.word:
        return None
    until = call.deadline
    if until is None and call.interval is not None:
        until = thread.since + call.interval  # it began before, so it ends before
    return until if until is not None and until > snapshot.taken else None


def _ended(snapshot: Snapshot) -> Verdict:
    ending = snapshot.ending
    if ending is None:
        return "unknown"
    if ending.signal:
        return "crashed"
    return "failed" if ending.code else "finished"
