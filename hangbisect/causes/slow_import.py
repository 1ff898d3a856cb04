"""An import, or what a start loads, takes long, and is at work all the while.

## What happens

Nothing hangs: an import reads files, faults pages in or computes, and will be done some day. So
does a statement that loads weights or an index.

## Why

A first start after a reboot or an installation reads gigabytes of libraries from the disk; a
network file system answers each of ten thousand small files late; byte code is compiled anew
because its cache cannot be written; a mapped file is larger than the memory that is left for it.

## How it is recognised

The time that was set for the start (`--within`) has passed, or somebody looked at the running
process, while an import was in progress and something moved: bytes, pages, CPU. A statement
counts where it is in the midst of a large file, or pages come from storage. It is said how fast
each moves, measured over ten seconds at most, and since when. How long it will take is said
only of a file whose length is known; else that it is not known.

## How it is proved

By a second start right after the first, which is faster where the disk was the reason. That
something moved is a fact, and that this is why it takes long is "likely".

## Fix

Wait. To have it faster next time: put the environment on a local disk, let Python write its
byte code (PYTHONPYCACHEPREFIX), and see by `python -X importtime` which import costs most. Where
memory is short, a smaller batch or a machine with more of it.

## References

- https://docs.python.org/3/using/cmdline.html#cmdoption-X
- https://docs.python.org/3/using/cmdline.html#envvar-PYTHONPYCACHEPREFIX
"""

from hangbisect.causes._moving import is_at_work, main_of, step_of, step_words
from hangbisect.causes._rates import (
    UNKNOWN,
    file_read,
    going_on,
    moving_since,
    pace_of,
    read_words,
)
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Descriptor, Evidence, Finding, Fix, Step, Thread
from hangbisect.waits import Reading


class SlowImport(Rule):
    """An import in progress, or a file that is loaded, while something moves."""

    code = "HB901"
    name = "slow-import"
    specificity = 5

    def recognise(self, reading: Reading) -> Finding | None:
        """Look whether the step is an import or loads something, and something moves."""
        main, step = main_of(reading), step_of(reading)
        if main is None or step is None or not is_at_work(reading):
            return None
        file, step = file_read(reading, main.pid), _import(step) or step
        if step.kind != "import" and file is None and not _pages_in(reading, main.pid):
            return None
        return self._found(reading, step, main, file)

    def _found(
        self, reading: Reading, step: Step, main: Thread, file: Descriptor | None
    ) -> Finding:
        snapshot = reading.snapshot
        seconds = None if step.began is None else max(snapshot.taken - step.began, 0.0)
        since = f" for {seconds:.0f} s" if seconds is not None else ""
        moving, fact = going_on(reading), reading.index.path(step.file)
        progress = read_words(reading, file) if file else UNKNOWN
        return self.finding(
            "likely",
            f"{step_words(step)} is at work{since} and has not come to its end: {moving}; "
            f"{progress}.",
            blocker=Blocker(
                kind="file" if file and step.kind != "import" else "module",
                id=step.name if step.kind == "import" else file.target if file else "__main__",
                detail={
                    "seconds": seconds,
                    "moving": list(snapshot.moving),
                    "moving_since": moving_since(reading),
                    "file": file.target if file else None,
                    "position": file.position if file else None,
                    "size": file.size if file else None,
                    "mount": fact.mount if fact else None,
                },
            ),
            evidence=(Evidence(ref=f"thread:{main.tid}", shows=f"while it was seen: {moving}"),),
            fix=_FIX if step.kind == "import" else _FIX_OF_LOADING,
            chain=reading.chain,
        )


_FIX = Fix(
    summary="Wait: it goes on.",
    steps=(
        "See what costs most: python -X importtime run.py",
        "Keep the environment on a local disk, and let byte code be written.",
    ),
)
_FIX_OF_LOADING = Fix(
    summary="Wait: it goes on.",
    steps=("Keep what is loaded on a local disk, or load less of it.",),
)


def _pages_in(reading: Reading, pid: int) -> bool:
    """Tell whether pages of a process have to come from storage."""
    return pace_of(reading, pid).major_faults >= 1


def _import(step: Step) -> Step | None:
    """Return the innermost import in progress: a statement of a module's body is part of one."""
    chain = (*step.chain, step)
    return next((each for each in reversed(chain) if each.kind == "import"), None)


cause = SlowImport()
