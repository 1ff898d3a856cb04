"""From a wait status and the last flight record to how a target ended. Pure."""

import os

from msgspec.structs import replace

from hangbisect.model import Ending, Flight, Gap, Process, Snapshot, Span, Step, Way
from hangbisect.model.flight import EntryEnd
from hangbisect.model.process import StepKind
from hangbisect.watch.dumped import frames_of
from hangbisect.watch.ending import Ended
from hangbisect.watch.happenings import Exited
from hangbisect.watch.scene import Scene
from hangbisect.watch.steps import last_step, step_of

_ENDS: dict[EntryEnd, Way] = {"returned": "end", "left": "exit", "": "finished"}


def ending_of(
    end: Exited | None,
    flight: Flight | None,
    zero: float,
    *,
    asked: bool,
    by_us: bool,
    dump: tuple[str, ...],
    silent: bool | None,
) -> Ending:
    """Describe how the process ended, with what it had in progress and what it had completed."""
    step = _step(flight, dump, zero)
    return Ending(
        code=end.code if end else None,
        signal=end.signal if end else None,
        core=end.core if end else False,
        asked=asked,
        by_us=by_us,
        finished=bool(flight and flight.finished),
        text_to=flight.text_to if flight else "",
        way=_way(flight) if flight and end and end.signal is None else "",
        entry_end=flight.entry_end if flight else "",
        left=_at(flight.left_import, zero) if flight else None,
        raised=_at(flight.left, zero) if flight else None,
        becomes=flight.becomes if flight else "",
        step=step,
        is_rough=_is_rough(flight, step) if flight and step and not dump else False,
        last=last_step(flight.pid, flight, zero) if flight else None,
        exception=flight.exception if flight else "",
        silent=silent,
        dump=dump,
    )


def ended_snapshot(scene: Scene, ending: Ending, flight: Flight | None, taken: float) -> Snapshot:
    """Compose the snapshot of a target that is gone."""
    root = Process(
        pid=scene.question.root,
        parent=0,
        argv=scene.argv,
        executable=flight.executable if flight else scene.interpreter,
        state="X",
        python=flight.version if flight else "",
        hooked=flight is not None,
        step=ending.step,
        last=ending.last,
        exception=ending.exception,
    )
    return Snapshot(
        tool=scene.tool,
        system=scene.system,
        root=root.pid,
        blame=root.pid,
        wall=scene.wall,
        taken=taken - scene.question.began,
        occasion="ended",
        cwd=scene.cwd,
        interpreter=scene.interpreter,
        interpreter_reason=scene.interpreter_reason,
        environment=scene.environment,
        processes=(root,),
        gaps=scene.gaps,
        ending=ending,
    )


def with_our_end(snapshot: Snapshot, ended: Ended) -> Snapshot:
    """Add how the target ended when we ended it; what no signal ends is said, and left."""
    left = tuple(
        Gap(
            what=f"the end of process {process.pid} ({process.command}, state {process.state})",
            why=process.why,
            remedy="free what it waits for, or restart the machine; it holds what it has open",
        )
        for process in ended.left
    )
    ending = None
    if ended.status is not None:
        exited = Exited(pid=snapshot.root, status=ended.status)
        ending = Ending(code=exited.code, signal=exited.signal, by_us=True)
    return replace(snapshot, ending=ending, gaps=(*snapshot.gaps, *left))


def is_silent() -> bool:
    """Tell whether nobody could read what a target prints that got our stdout and stderr."""
    try:
        nowhere = os.stat(os.devnull)
        return all(os.path.samestat(os.fstat(fd), nowhere) for fd in (1, 2))
    except OSError:
        return True  # one of them is closed


def _way(flight: Flight) -> Way:
    """Say how a program left that no signal ended; "" where its record cannot tell."""
    if flight.implementation != "cpython" or not flight.version:
        return ""  # another implementation says nothing of its end; a record that is gone neither
    if flight.becomes:
        return "program"
    if not flight.finished:
        return "at-once"
    return _ENDS[flight.entry_end]


def _at(span: Span | None, zero: float) -> Step | None:
    """Return a span as a step: an import, or the line where it was left."""
    if span is None:
        return None
    kind: StepKind = "import" if span.kind == "import" else "statement"
    return Step(
        pid=0, kind=kind, name=span.name, file=span.file, line=span.line, began=span.began - zero
    )


def _is_rough(flight: Flight, step: Step) -> bool:
    """Tell whether a step is the script's line that was seen last, not where it stood."""
    entry = flight.entry
    at_entry = entry is not None and (step.file, step.line) == (entry.file, entry.line)
    return step.kind == "statement" and at_entry and not flight.entry_exact


def _step(flight: Flight | None, dump: tuple[str, ...], zero: float) -> Step | None:
    """Return what was in progress, by the dump if there is one; None at the interpreter's end.

    What raised the uncaught exception, or left the script, is over by then, and is what matters.
    """
    if flight is None or flight.becomes:
        return None
    if flight.thrown is not None:
        return _line(flight.pid, flight.thrown.file, flight.thrown.line)
    if flight.finished and flight.entry_end == "left" and flight.entry is not None:
        return _line(flight.pid, flight.entry.file, flight.entry_line or flight.entry.line)
    frames = frames_of(dump, [span for span in flight.open if span.kind == "import"])
    step = step_of(flight.pid, flight, frames, flight.pid, {}, zero)
    return None if step.kind == "before-python" else step


def _line(pid: int, file: str, line: int) -> Step:
    step = Step(pid=pid, kind="statement", name="", file=file, line=line)
    return replace(step, chain=(step,))
