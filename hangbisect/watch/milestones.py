"""Which frames of a stack tell a phase: the table of milestones, read from outside. Pure.

A frame counts only if its qualified name is known (`Frame.scope`): many functions of one file have
the same name, and a phase is never guessed.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from hangbisect.model import Frame, Thread
from hangbisect.model.code import is_own
from hangbisect.probe import milestones
from hangbisect.probe.milestones import Milestone

TRAINING = milestones.TRAINING
STEP = milestones.STEP
"""The phases with which a start is over."""

_OUTERMOST = ("<module>", "_run_module_as_main", "_bootstrap")
"""A script, `-m`, and a thread of threading."""
Function = tuple[str, int, str]
"""File, line, name."""


def milestones_in(frames: Sequence[Frame]) -> tuple[tuple[Milestone, Frame], ...]:
    """Give the milestones that a thread is in, outermost first; of each phase the outermost."""
    found: dict[str, tuple[Milestone, Frame]] = {}
    for frame in frames:
        for milestone in _possible(frame):
            if milestone.name == frame.scope:
                found.setdefault(milestone.phase, (milestone, frame))
    return tuple(found.values())


def is_whole(thread: Thread) -> bool:
    """Tell whether a stack reaches down to where its thread began: one that changed may not."""
    return bool(thread.frames) and thread.frames[0].function in _OUTERMOST


def with_scopes(
    threads: Iterable[Thread], scopes: Iterable[tuple[str, int, str, str]]
) -> tuple[Thread, ...]:
    """Fill in the qualified names that were looked up."""
    names = {(file, line, function): scope for file, line, function, scope in scopes}
    return tuple(_scoped(thread, names) for thread in threads)


def _scoped(thread: Thread, names: Mapping[Function, str]) -> Thread:
    frames = tuple(
        replace(f, scope=name) if (name := names.get((f.file, f.line, f.function))) else f
        for f in thread.frames
    )
    return thread if frames == thread.frames else replace(thread, frames=frames)


def functions_of(threads: Iterable[Thread]) -> tuple[Function, ...]:
    """Name the frames that may tell a phase, if their qualified names were known."""
    frames = (frame for thread in threads for frame in thread.frames)
    return tuple(
        dict.fromkeys((f.file, f.line, f.function) for f in frames if not f.scope and _possible(f))
    )


def _possible(frame: Frame) -> tuple[Milestone, ...]:
    file = frame.file.replace("\\", "/")
    candidates = _by_function().get(frame.function, ()) if file else ()
    return tuple(m for m in candidates if _is_of(m.module, file))


def _is_of(module: str, file: str) -> bool:
    """Tell whether a file is a module's, by the end of its path.

    A module without a package has a name that a user's own file may have, too.
    """
    path = module.replace(".", "/")
    if not file.endswith((f"/{path}.py", f"/{path}/__init__.py")):
        return False
    return "." in module or not is_own(file)


@cache
def _by_function() -> dict[str, tuple[Milestone, ...]]:
    """Give the milestones that a stack can show, by the name of the function alone.

    What counts only at its return is gone from the stack by then.
    """
    found: dict[str, tuple[Milestone, ...]] = {}
    table = milestones.rows(str(Path(milestones.__file__).parent))
    for row in (row for rows in table.values() for row in rows):
        milestone = Milestone(row)
        if milestone.phase == STEP:
            milestone = _in_a_step(milestone)
        if milestone.begins:
            name = milestone.name.rpartition(".")[2]
            found[name] = (*found.get(name, ()), milestone)
    return found


def _in_a_step(milestone: Milestone) -> Milestone:
    """Take a step on the stack for what it shows: that training has begun, by whichever step."""
    row = f"{TRAINING}|begin|{milestone.module}|{milestone.name}|"
    return Milestone(row)
