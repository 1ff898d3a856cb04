"""An import takes long, and is at work all the while.

## What happens

Nothing hangs: an import reads files, faults pages in or computes, and will be done some day.

## Why

A first start after a reboot or an installation reads gigabytes of libraries from the disk; a
network file system answers each of ten thousand small files late; byte code is compiled anew
because its cache cannot be written.

## How it is recognised

The time that was set for the start (`--within`) has passed, or somebody looked at the running
process, while an import was in progress and something moved: bytes, pages, CPU.

## How it is proved

By a second start right after the first, which is faster where the disk was the reason. That
something moved is a fact, and that this is why it takes long is "likely".

## Fix

Wait. To have it faster next time: put the environment on a local disk, let Python write its
byte code (PYTHONPYCACHEPREFIX), and see by `python -X importtime` which import costs most.

## References

- https://docs.python.org/3/using/cmdline.html#cmdoption-X
- https://docs.python.org/3/using/cmdline.html#envvar-PYTHONPYCACHEPREFIX
"""

from hangbisect.causes._moving import is_at_work, main_of, step_of, step_words
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, Step, Thread
from hangbisect.waits import Reading


class SlowImport(Rule):
    """An import in progress, while something moves."""

    code = "HB901"
    name = "slow-import"
    specificity = 5

    def recognise(self, reading: Reading) -> Finding | None:
        """Look whether the step is an import, and something moves."""
        step, main = _import(step_of(reading)), main_of(reading)
        if step is None or main is None or not is_at_work(reading):
            return None
        return self._found(reading, step, main)

    def _found(self, reading: Reading, step: Step, main: Thread) -> Finding:
        snapshot = reading.snapshot
        moving = ", ".join(snapshot.moving)
        seconds = None if step.began is None else max(snapshot.taken - step.began, 0.0)
        since = f" for {seconds:.0f} s" if seconds is not None else ""
        fact = reading.index.path(step.file)
        return self.finding(
            "likely",
            f"{step_words(step)} is at work{since} and has not come to its end: {moving}.",
            blocker=Blocker(
                kind="module",
                id=step.name,
                detail={
                    "seconds": seconds,
                    "moving": list(snapshot.moving),
                    "mount": fact.mount if fact else None,
                },
            ),
            evidence=(Evidence(ref=f"thread:{main.tid}", shows=f"while it was seen: {moving}"),),
            fix=Fix(
                summary="Wait: it goes on.",
                steps=(
                    "See what costs most: python -X importtime run.py",
                    "Keep the environment on a local disk, and let byte code be written.",
                ),
            ),
            chain=reading.chain,
        )


def _import(step: Step | None) -> Step | None:
    """Return the innermost import in progress: a statement of a module's body is part of one."""
    chain = (*step.chain, step) if step else ()
    return next((each for each in reversed(chain) if each.kind == "import"), None)


cause = SlowImport()
