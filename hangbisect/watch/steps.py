"""From a flight record and a stack to the step: what a process had in progress, and where."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from hangbisect.model import Flight, Frame, Snapshot, Span, Step, Thread
from hangbisect.model.code import FROZEN, is_own, standard_path
from hangbisect.model.process import StepKind
from hangbisect.watch.pth import pth_line, pth_lines, pth_of

Texts = Mapping[tuple[str, int], str]
MODULE = "<module>"
BEFORE: StepKind = "before-python"


def step_of(
    pid: int, flight: Flight | None, frames: Sequence[Frame], tid: int, texts: Texts, began: float
) -> Step:
    """Say what the thread `tid` of a process had in progress.

    The stack is asked first, since it shows statements; the flight record knows when each import
    began, and answers alone where no stack could be read. `began` is the second on CLOCK_MONOTONIC
    that counts as zero.
    """
    spans = _imports(flight, tid)
    chain = (
        _from_frames(pid, frames, texts)
        or _at_the_end(pid, flight, frames, texts)
        or _from_record(pid, flight, spans, tid, texts)
    )
    if not chain:
        return Step(pid=pid, kind=BEFORE, name=_program(flight))
    chain = tuple(_timed(step, spans, began) for step in chain)
    last = chain[-1]
    return Step(
        pid=pid,
        kind=last.kind,
        name=last.name,
        file=last.file,
        line=last.line,
        began=last.began,
        chain=chain,
    )


def known_step(
    pid: int, latest: Snapshot | None, flights: Callable[[], Iterable[Flight]], began: float
) -> Step | None:
    """Say a process's step as it was seen last; where nobody looked, the flight record knows."""
    if latest:
        return next((p.step for p in latest.processes if p.pid == pid), None)
    flight = next((f for f in flights() if f.pid == pid), None)
    return step_of(pid, flight, (), pid, {}, began) if flight else None


def last_step(pid: int, flight: Flight | None, began: float) -> Step | None:
    """Say which import or statement a process completed last."""
    span = flight.last if flight else None
    if span is None:
        return None
    kind: StepKind = "statement" if span.kind in ("statement", "call") else "import"
    return Step(
        pid=pid, kind=kind, name=span.name, file=span.file, line=span.line, began=span.began - began
    )


def with_vforked(steps: Mapping[int, Step], threads: Iterable[Thread]) -> dict[int, Step]:
    """Give a child of vfork its parent's step: until it starts a program it shares its memory."""
    found = dict(steps)
    for thread in threads:
        child = thread.call.child if thread.call and thread.state == "D" else None
        mine, shared = found.get(child or 0), steps.get(thread.pid)
        if child and mine and shared and thread.tid == thread.pid and mine.kind == BEFORE:
            chain = tuple(replace(step, pid=child) for step in shared.chain)
            found[child] = replace(shared, pid=child, chain=chain)
    return found


def lines_of(frames: Sequence[Frame]) -> tuple[tuple[str, int], ...]:
    """Name the source lines whose text a step over these frames may need."""
    own = (
        (f.file, f.line)
        for f in frames
        if f.file and not f.file.startswith("<") and (f.function == MODULE or is_own(f.file))
    )
    return (*own, *pth_lines(frames))


def _imports(flight: Flight | None, tid: int) -> tuple[Span, ...]:
    return tuple(s for s in flight.open if s.kind == "import" and s.tid == tid) if flight else ()


def _program(flight: Flight | None) -> str:
    return flight.argv[0] if flight and flight.argv else ""


def _from_frames(pid: int, frames: Sequence[Frame], texts: Texts) -> tuple[Step, ...]:
    bodies = [
        i
        for i, frame in enumerate(frames)
        if frame.function == MODULE and not _is_machinery(frame.file)
    ]
    steps = []
    for position, i in enumerate(bodies):
        end = bodies[position + 1] if position + 1 < len(bodies) else len(frames)
        steps.append(_body_step(pid, frames, i, end, texts))
    if bodies:
        steps += _inner_statement(pid, frames, bodies[-1], steps[-1], texts)
    return tuple(step for step in steps if step.file)


def _at_the_end(
    pid: int, flight: Flight | None, frames: Sequence[Frame], texts: Texts
) -> tuple[Step, ...]:
    """Name what goes on when the entry script is over: a function called at exit, or Python's end.

    No module's body is on the stack then; before the script there is no record yet.
    """
    if flight is None or not (frames or flight.finished):
        return ()
    own = [frame for frame in frames if is_own(frame.file)]
    if own:
        text = texts.get((own[-1].file, own[-1].line), "")
        return (_statement(pid, text, own[-1].file, own[-1].line),)
    return (Step(pid=pid, kind="phase", name="the end of the interpreter"),)


def _statement(pid: int, text: str, file: str, line: int) -> Step:
    return Step(pid=pid, kind="statement", name=text, file=file, line=line)


def _body_step(pid: int, frames: Sequence[Frame], i: int, end: int, texts: Texts) -> Step:
    """Name what a module's body does: the import it asked for, else its statement."""
    file, line = frames[i].file, frames[i].line
    name = _asked_for(frames[i + 1 : end])
    text = texts.get((file, line), "")
    if pth := pth_of(frames, i):
        file, (line, text) = pth, pth_line(pth, name, texts)
    kind: StepKind = "import" if name else "statement"
    return Step(pid=pid, kind=kind, name=name or text, file=file, line=line)


def _inner_statement(
    pid: int, frames: Sequence[Frame], body: int, step: Step, texts: Texts
) -> list[Step]:
    """Go on into functions of the user's own code, up to the innermost line of theirs."""
    own = [f for f in frames[body + 1 :] if is_own(f.file)]
    if step.kind == "import" or not own or not is_own(frames[body].file):
        return []
    inner = own[-1]
    name = _asked_for(frames[frames.index(inner) + 1 :])
    if name:
        return [Step(pid=pid, kind="import", name=name, file=inner.file, line=inner.line)]
    return [
        Step(
            pid=pid,
            kind="statement",
            name=texts.get((inner.file, inner.line), ""),
            file=inner.file,
            line=inner.line,
        )
    ]


def _asked_for(frames: Sequence[Frame]) -> str:
    """Return the module that importlib was asked for right above these frames, "" if none."""
    for frame in frames:
        if not frame.file.startswith("<frozen importlib"):
            return ""
        for local in frame.locals:
            if local.name == "name" and local.text:
                return local.text
    return ""


def _from_record(
    pid: int, flight: Flight | None, spans: Sequence[Span], tid: int, texts: Texts
) -> tuple[Step, ...]:
    if flight is None:
        return ()
    steps = [Step(pid=pid, kind="import", name=s.name, file=s.file, line=s.line) for s in spans]
    inner = [s for s in flight.open if s.kind in ("statement", "call") and s.tid == tid]
    if flight.entry and not steps:
        inner.insert(0, flight.entry)
    if inner and (not spans or inner[-1].began >= spans[-1].began):
        s = inner[-1]
        steps.append(
            Step(
                pid=pid,
                kind="statement",
                name=texts.get((s.file, s.line), ""),
                file=s.file,
                line=s.line,
            )
        )
    return tuple(steps)


def _timed(step: Step, spans: Sequence[Span], began: float) -> Step:
    """Add when the import began, where the record knows it."""
    for span in reversed(spans):
        if step.kind == "import" and span.name == step.name:
            return Step(
                pid=step.pid,
                kind=step.kind,
                name=step.name,
                file=step.file,
                line=step.line,
                began=round(span.began - began, 3),
            )
    return step


def _is_machinery(file: str) -> bool:
    return file.startswith(FROZEN) or standard_path(file) in ("runpy.py", "site.py")
