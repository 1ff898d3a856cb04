"""The program is not hung: it is gone, and nothing said so.

## What happens

There is no process any more. It crashed in native code, was killed, or left early with status 0,
and wrote nothing that a person would have seen.

## Why

A segmentation fault in an extension writes nothing by default. The kernel's out-of-memory killer,
a batch system or a container's limit send SIGKILL, which leaves no word. `os._exit`,
`sys.exit(0)` during an import, or a traceback to a closed stderr look like an ordinary end.

## How it is recognised

By the wait status: a fatal signal that hangbisect did not send; an uncaught exception while
stdout and stderr lead nowhere; status 0 without the interpreter's own end, or in the middle of an
import. An ordinary failure, with its traceback on stderr, is none of this.

## How it is proved

A fatal fault and a kill that the kernel's memory accounting names are facts. Where a faulthandler
of the program's own may have written the stack to stderr, a fault is "possible". Who sent another
SIGKILL, and why a program left early, is not known from its status: "likely" or "possible".

## Fix

Crash: the last step and the frames below name the library; update it, or run that import alone.
Memory: a smaller batch or model, or a higher limit. Silent exit: run with `-X faulthandler` and
stderr to a file.

## References

- https://docs.python.org/3/library/faulthandler.html
- https://man7.org/linux/man-pages/man2/wait.2.html
- https://docs.kernel.org/admin-guide/cgroup-v2.html (memory.events)
"""

from hangbisect.causes._rule import Rule
from hangbisect.model import (
    Blocker,
    BlockerKind,
    Certainty,
    Ending,
    Evidence,
    Finding,
    Fix,
    Process,
    Step,
)
from hangbisect.model._struct import Data
from hangbisect.waits import Reading

FAULTS = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGSYS", "SIGTRAP")
"""Signals that a process brings upon itself."""
DUMPED = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT")
"""Those of them at which faulthandler writes the stack, to our file unless the program uses it."""
BY_A_PERSON = ("SIGINT", "SIGQUIT", "SIGTSTP")


class Death(Data, frozen=True, kw_only=True):
    """How it ended, in words, and what to blame."""

    certainty: Certainty
    says: str
    kind: BlockerKind
    id: str
    cure: str


class DiedSilently(Rule):
    """An end that nobody was told of."""

    code = "HB904"
    name = "died-silently"
    specificity = 10

    def recognise(self, reading: Reading) -> Finding | None:
        """Look at how the target ended, if it did and nothing was said."""
        ending = reading.snapshot.ending
        if ending is None or ending.by_us or ending.asked:
            return None
        death = _by_signal(ending) if ending.signal else _by_status(ending, _root(reading))
        return self._found(reading, ending, death) if death else None

    def _found(self, reading: Reading, ending: Ending, death: Death) -> Finding:
        return self.finding(
            death.certainty,
            f"The program {death.says} {_at(ending)}{_told(ending)}.",
            blocker=Blocker(
                kind=death.kind,
                id=death.id,
                detail={
                    "code": ending.code,
                    "signal": ending.signal,
                    "core": ending.core,
                    "frames": list(ending.dump[:20]),
                },
            ),
            evidence=_evidence(reading.snapshot.root, ending),
            fix=Fix(
                summary=death.cure,
                steps=("Run it again as: python -X faulthandler ... 2>error.txt",),
            ),
            chain=None,
        )


def _by_signal(ending: Ending) -> Death | None:
    signal = ending.signal or ""
    if signal in BY_A_PERSON:
        return None
    if signal in FAULTS:
        return Death(
            certainty="possible" if _may_be_told(ending) else "proved",
            says=f"crashed in native code ({signal})",
            kind="signal",
            id=signal,
            cure="Run the step alone, and update or report the library that the frames name.",
        )
    if ending.out_of_memory:
        return Death(
            certainty="proved",
            says=f"was killed for want of memory ({signal})",
            kind="limit",
            id="memory",
            cure="Use a smaller model or batch, or raise the memory limit.",
        )
    return Death(
        certainty="likely",
        says=f"was ended from outside ({signal})",
        kind="signal",
        id=signal,
        cure="Find who sent the signal: a batch system, a container's limit, the kernel's log.",
    )


def _may_be_told(ending: Ending) -> bool:
    """Tell whether the program's own faulthandler may have written: then our file stays empty."""
    return ending.signal in DUMPED and not ending.dump and not ending.silent


def _told(ending: Ending) -> str:
    if _may_be_told(ending):
        return "; a stack of it may stand on its stderr, by a faulthandler of its own"
    heard = ending.silent or ending.signal is None
    return f", and {'nothing was reported' if heard else 'Python itself reported nothing'}"


def _by_status(ending: Ending, root: Process | None) -> Death | None:
    """Judge an exit with a status. Without a probe inside, an ordinary end cannot be told apart."""
    if ending.exception:
        return _unheard(ending) if ending.silent else None
    if root is None or not root.hooked:
        return None
    step = ending.step
    if step is not None and step.kind == "import" and ending.code == 0:
        return _early(ending, step)
    if ending.finished or (ending.code and not ending.silent):
        return None
    return Death(
        certainty="possible",
        says=f"left with status {ending.code} without Python's own end (os._exit, or native code)",
        kind="process",
        id="os._exit",
        cure="Look for os._exit in the step's code, or for a library that calls exit().",
    )


def _unheard(ending: Ending) -> Death:
    return Death(
        certainty="likely",
        says=f"failed with {ending.exception}, whose text went nowhere",
        kind="module",
        id=ending.step.name if ending.step else ending.exception,
        cure="Let stderr go to a file to see the traceback.",
    )


def _early(ending: Ending, step: Step) -> Death:
    how = "by sys.exit(0)" if ending.finished else "without Python's own end (os._exit)"
    return Death(
        certainty="possible" if ending.finished else "likely",
        says=f"left with status 0, {how}, before its first import was done,",
        kind="module",
        id=step.name,
        cure=f"Look for an exit call in the import of {step.name}.",
    )


def _root(reading: Reading) -> Process | None:
    return reading.index.process(reading.snapshot.root)


def _at(ending: Ending) -> str:
    step = ending.step
    if step is None:
        return f"after {ending.last.name}" if ending.last else "at an unknown step"
    verb = "import of" if step.kind == "import" else "statement"
    place = f" ({step.file.rpartition('/')[2]}:{step.line})" if step.file else ""
    return f"in the {verb} {step.name}{place}" if step.name else f"at {place[2:-1]}"


def _evidence(root: int, ending: Ending) -> tuple[Evidence, ...]:
    how = f"signal {ending.signal}" if ending.signal else f"status {ending.code}"
    core = ", core dumped" if ending.core else ""
    rows = [Evidence(ref=f"process:{root}", shows=f"ended by {how}{core}")]
    if ending.last is not None:
        rows.append(Evidence(ref="record", shows=f"completed last: {ending.last.name}"))
    if ending.dump and ending.step is not None and ending.step.file:
        where = f"{ending.step.file}:{ending.step.line}"
        rows.append(Evidence(ref="faulthandler", shows=f"innermost line of the program: {where}"))
    rows += [Evidence(ref="faulthandler", shows=line) for line in ending.dump[:6] if line.strip()]
    if ending.silent:
        rows.append(Evidence(ref="descriptor:1,2", shows="stdout and stderr lead nowhere"))
    return tuple(rows)


cause = DiedSilently()
