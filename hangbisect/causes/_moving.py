"""Tell whether a target that takes long is at work, and whose step that is."""

from hangbisect.model import Step, Thread
from hangbisect.waits import Reading


def is_at_work(reading: Reading) -> bool:
    """Tell whether something moved, and nobody said that it was for too long nothing did."""
    snapshot = reading.snapshot
    late = snapshot.occasion == "within"
    seen = snapshot.occasion == "attached" and snapshot.quiet_since is None
    return (late or seen) and bool(snapshot.moving) and not reading.hung


def step_of(reading: Reading) -> Step | None:
    """Return the step of the process that is judged."""
    process = reading.index.process(reading.main.pid)
    return process.step if process else None


def main_of(reading: Reading) -> Thread | None:
    """Return the main thread of the process that is judged."""
    return reading.index.thread(reading.main)


def step_words(step: Step | None) -> str:
    """Say a step in a few words: "the import of torch (run.py:3)"."""
    if step is None or not step.file:
        return "the program"
    place = f"{step.file.rpartition('/')[2]}:{step.line}"
    return f"the import of {step.name} ({place})" if step.kind == "import" else place
