"""The program is not hung: it is gone, and nothing said so.

## What happens

There is no process any more. It crashed in native code, was killed, or left early, and wrote
nothing that a person would have seen.

## Why

A segmentation fault in an extension writes nothing by default. The kernel's out-of-memory killer,
a batch system or a container's limit send SIGKILL, which leaves no word. A traceback goes to a
stderr that is closed or /dev/null. `os._exit`, `sys.exit` during an import or inside an `except`
that says nothing, or exec of another program look like an ordinary end.

## How it is recognised

By the wait status, with the probe's record of how Python ended: a fatal signal that hangbisect
did not send; an uncaught exception whose text had nowhere to go; an end without Python's own;
SystemExit that left an import, or an `except` of the script that does nothing but leave. Memory
is blamed where the kernel's log names the process, or its control group counted a kill.

An ordinary failure, with its traceback on stderr, is none of this; nor are `--help` and what a
parser of command lines ends, a program that goes on in a child, Ctrl-C, and `| head`.

## How it is proved

A fatal fault, a kill that the kernel's log names, and a traceback whose stream was closed are
facts. Where a faulthandler of the program's own may have written the stack to stderr, a fault is
"possible". A kill that was only counted may have hit another process of the group: "likely". Who
sent another SIGKILL cannot be known, nor why a program left early: "likely" or "possible". What
is only possible is not reported unasked, unless the program crashed.

## Fix

Crash: the last step and the frames below name the library; update it, or run that import alone.
With `ulimit -c unlimited` the kernel keeps a core file, and the native stack is read from it.
Memory: a smaller model or batch, or a higher limit. Silent exit: let stderr go to a file, and
look at the line that is named.

## References

- https://docs.python.org/3/library/faulthandler.html
- https://man7.org/linux/man-pages/man2/wait.2.html
- https://docs.kernel.org/admin-guide/cgroup-v2.html (memory.events)
- https://man7.org/linux/man-pages/man5/core.5.html
"""

from os.path import basename

from hangbisect.causes._death import Death, aftermath, stream_rows
from hangbisect.causes._death_by_signal import by_signal, may_be_told
from hangbisect.causes._death_by_status import by_another, by_status
from hangbisect.causes._death_steps import steps
from hangbisect.causes._rule import Rule
from hangbisect.model import (
    Blocker,
    Ending,
    Evidence,
    Finding,
    Fix,
    Memory,
    Process,
    Step,
)
from hangbisect.waits import Reading

_FRAMES = 6
"""Lines of faulthandler's dump that are shown."""


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
        root = _root(reading)
        death = by_signal(ending) if ending.signal else by_status(ending, root)
        death = death or (by_another(ending) if not ending.signal else None)
        return self._found(reading.snapshot.root, ending, death) if death else None

    def _found(self, root: int, ending: Ending, death: Death) -> Finding:
        return self.finding(
            death.certainty,
            _summary(ending, death),
            blocker=Blocker(kind=death.kind, id=death.id, detail=_detail(ending)),
            evidence=(*_how(root, ending), *death.evidence, *_record(ending), *stream_rows(ending)),
            fix=Fix(summary=death.cure, steps=steps(root, ending)),
            chain=None,
        )


def _root(reading: Reading) -> Process | None:
    return reading.index.process(reading.snapshot.root)


def _summary(ending: Ending, death: Death) -> str:
    became = f" became {ending.becomes} by exec, which" if ending.becomes and ending.signal else ""
    at = "" if ending.becomes else death.at or _at(ending)
    space = " " if at and not at.startswith(";") else ""
    unknown = f" {death.unknown}" if death.unknown else ""
    says = f"The program{became} {death.says}{space}{at}{death.then}"
    return f"{says}{_told(ending)}.{unknown}"


def _told(ending: Ending) -> str:
    if may_be_told(ending):
        return "; a stack of it may stand on its stderr, by a faulthandler of its own"
    if ending.signal is None:
        return ""
    return f", and {'nothing was reported' if ending.silent else 'Python itself reported nothing'}"


def _at(ending: Ending) -> str:
    step = ending.step
    if step is None:
        return f"after {_named(ending.last)}" if ending.last else "at an unknown step"
    seen = "; it was last seen " if ending.is_rough else ""
    return f"{seen}in the {_named(step)}" if step.name else f"{seen}at {_named(step)}"


def _named(step: Step) -> str:
    """Name a step with its place; a line without text is its place."""
    place = f"{basename(step.file)}:{step.line}" if step.file else ""
    if not step.name:
        return place
    verb = "import of" if step.kind == "import" else "statement"
    return f"{verb} {step.name}" + (f" ({place})" if place else "")


def _how(root: int, ending: Ending) -> tuple[Evidence, ...]:
    how = f"signal {ending.signal}" if ending.signal else f"status {ending.code}"
    core = ", core dumped" if ending.core else ""
    return (Evidence(ref=f"process:{root}", shows=f"ended by {how}{core}"),)


def _record(ending: Ending) -> tuple[Evidence, ...]:
    """Show what was completed last, and the stack that faulthandler wrote."""
    rows = [Evidence(ref="faulthandler", shows=line) for line in _frames(ending.dump)]
    if ending.dump and ending.step is not None and ending.step.file:
        where = f"{ending.step.file}:{ending.step.line}"
        rows.append(Evidence(ref="faulthandler", shows=f"innermost line of the program: {where}"))
    if ending.last is not None:
        rows.append(Evidence(ref="record", shows=f"completed last: {_named(ending.last)}"))
    return tuple(rows)


def _frames(dump: tuple[str, ...]) -> list[str]:
    """Return the innermost frames of the thread that the signal hit, as faulthandler has them."""
    begins = (i for i, line in enumerate(dump) if line.startswith("Current thread"))
    lines = dump[next(begins, 0) :]
    ours = [line.strip() for line in lines if line.startswith("  File ")]
    return [line for line in ours if "<frozen importlib" not in line][:_FRAMES]


def _detail(ending: Ending) -> dict[str, str | int | float | bool | list[str] | None]:
    found = aftermath(ending)
    memory = found.memory or Memory()
    return {
        "code": ending.code,
        "signal": ending.signal,
        "core": ending.core,
        "core_file": found.core,
        "frames": list(ending.dump[:20]),
        "native": list(found.native),
        "memory_limit": memory.limit,
    }


cause = DiedSilently()
