"""Stacks and the flight record's tail as plain lines, for a fence. Pure."""

import shlex
from collections.abc import Callable

from hangbisect.model import Diagnosis, Event, FrameNote, NativeFrame, ThreadNote, ThreadRef
from hangbisect.report._chain import chain_of
from hangbisect.report._wording import clean, path

_OUTER, _INNER = 10, 40
"""Frames that are shown of a stack, from its two ends."""


def by_process(diagnosis: Diagnosis) -> dict[int, list[ThreadNote]]:
    """Return the threads of each process, what the wait chain names first."""
    threads = sorted(diagnosis.threads, key=_importance(diagnosis))
    found: dict[int, list[ThreadNote]] = {}
    for note in threads:
        found.setdefault(note.pid, []).append(note)
    return found


def stack_lines(threads: list[ThreadNote], cwd: str) -> tuple[str, ...]:
    """Return the stacks of a process's threads; those that are alike are shown once."""
    lines: list[str] = []
    for alike in _alike(threads):
        lines += ["", *_thread(alike, cwd)] if lines else _thread(alike, cwd)
    return tuple(lines)


def tail_lines(events: tuple[Event, ...], cwd: str) -> tuple[str, ...]:
    """Return events as lines: seconds since the start, pid, what happened, and where."""
    return tuple(_event(event, cwd) for event in events)


def _importance(diagnosis: Diagnosis) -> Callable[[ThreadNote], tuple[int, bool, bool]]:
    """Order threads: along the wait chain, then the process to blame, then the rest as seen."""
    links = chain_of(diagnosis)
    refs = [ref for link in links for ref in (link.waiter, *(link.holders or ()))]
    chain = {ref: number for number, ref in reversed(list(enumerate(refs)))}
    blamed = diagnosis.step.pid if diagnosis.step else diagnosis.target.pid

    def rank(note: ThreadNote) -> tuple[int, bool, bool]:
        at = chain.get(ThreadRef(pid=note.pid, tid=note.tid), len(refs))
        return at, note.pid != blamed, note.tid != note.pid

    return rank


def _alike(threads: list[ThreadNote]) -> list[list[ThreadNote]]:
    groups: dict[object, list[ThreadNote]] = {}
    for note in threads:
        same = (note.state, note.call, note.frames, note.native, note.libraries)
        groups.setdefault(same, []).append(note)
    return list(groups.values())


def _thread(alike: list[ThreadNote], cwd: str) -> list[str]:
    first, others = alike[0], alike[1:]
    name = f" ({clean(first.name, 40)})" if first.name else ""
    call = f", in {clean(first.call, 40)}" if first.call else ""
    lines = [f"thread {first.tid}{name}: state {first.state}{call}"]
    if others:
        some = ", ".join(str(note.tid) for note in others[:8])
        more = f" and {len(others) - 8} more" if len(others) > 8 else ""
        lines.append(f"  threads {some}{more} stand at the same place")
    lines += _both_ends([_frame(frame, cwd) for frame in first.frames])
    if first.native:
        lines += ["  native:", *_both_ends([[_native(frame)] for frame in first.native])]
    elif first.libraries:
        shown = ", ".join(clean(name, 80) for name in list(dict.fromkeys(first.libraries))[:12])
        lines.append(f"  libraries on its native stack, innermost first: {shown}")
    return lines


def _both_ends(frames: list[list[str]]) -> list[str]:
    """Return the frames' lines, of a deep stack only both ends."""
    left_out = len(frames) - _OUTER - _INNER
    if left_out > 1:
        mark = [f"  ... {left_out} frames ..."]
        frames = [*frames[:_OUTER], mark, *frames[-_INNER:]]
    return [line for frame in frames for line in frame]


def _frame(frame: FrameNote, cwd: str) -> list[str]:
    where = f'  File "{path(frame.file, cwd)}", line {frame.line}, in {clean(frame.function, 80)}'
    return [where, f"    {clean(frame.text, 200)}"] if frame.text else [where]


def _native(frame: NativeFrame) -> str:
    symbol = clean(frame.symbol, 160) or (f"0x{frame.address:x}" if frame.address else "?")
    return f"    {clean(frame.library, 160)}: {symbol}"


def _event(event: Event, cwd: str) -> str:
    at = path(event.file, cwd)
    place = f"({at}:{event.line})" if at and event.line else at
    words = (clean(event.name, 120), place, clean(shlex.join(event.argv), 200))
    text = "  ".join(word for word in words if word)
    return f"{event.time:9.3f}  {event.pid}  {clean(event.what, 20):<13} {text}".rstrip()
