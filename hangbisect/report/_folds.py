"""The folded details of a Markdown report: processes, stacks, record, gaps, command. Pure."""

import shlex

from msgspec.structs import replace

from hangbisect.model import Diagnosis
from hangbisect.report._escape import inside_html, prose
from hangbisect.report._lines import gaps, processes
from hangbisect.report._section import Section, Shown, show
from hangbisect.report._stacks import by_process, stack_lines, tail_lines
from hangbisect.report._wording import clean, command

_LEAST = 400
"""Characters below which a stack is left out whole."""


def details(diagnosis: Diagnosis) -> tuple[Section, ...]:
    """Return the folds but those of the stacks, most useful first."""
    tail = tail_lines(diagnosis.tail, diagnosis.target.cwd)
    unseen = tuple(f"- {prose(line)}" for line in gaps(diagnosis))
    listed = tuple(clean(line) for line in processes(diagnosis))
    return (
        _fold(f"Flight record, the last {len(tail)} events", tail, most=6000, keeps="last"),
        _fold(f"Not seen ({len(diagnosis.gaps)})", unseen, most=5000, shape="markdown"),
        _fold(f"Processes ({len(listed)})", listed, most=4000),
        _fold("Exact command", _command(diagnosis), most=4000),
        _fold(
            f"Variables ({len(diagnosis.environment)})",
            tuple(clean(f"{name}={value}") for name, value in diagnosis.environment),
            most=3000,
        ),
    )


def stacks(diagnosis: Diagnosis, room: int) -> tuple[str, tuple[str, ...]]:
    """Return the folds of the stacks in at most `room` characters, and what did not fit."""
    texts: list[str] = []
    short = missing = 0
    for pid, threads in by_process(diagnosis).items():
        if room < _LEAST:
            missing += 1
            continue
        lines = stack_lines(threads, diagnosis.target.cwd)
        title = _stack_title(pid, len(threads), diagnosis)
        shown = show(Section(title=title, lines=lines, most=room, shape="text", fold=True))
        texts.append(shown.text)
        room -= len(shown.text) + 1
        short += shown.left_out
    return "\n".join(filter(None, texts)), _stacks_left_out(short, missing)


def shown(section: Section) -> tuple[Shown, str]:
    """Return a section as text, and in words what of it did not fit; "" if it did."""
    result = show(section)
    name = section.name or section.title
    return result, f'{result.left_out} lines of "{name}"' if result.left_out else ""


def _stacks_left_out(short: int, missing: int) -> tuple[str, ...]:
    parts = (
        f"{short} lines of stacks" if short else "",
        f"the stacks of {missing} processes" if missing else "",
    )
    return tuple(filter(None, parts))


def _stack_title(pid: int, count: int, diagnosis: Diagnosis) -> str:
    note = next((note for note in diagnosis.processes if note.pid == pid), None)
    argv = note.argv if note else diagnosis.target.argv if pid == diagnosis.target.pid else ()
    name = f" {inside_html(command(argv, 80))}" if argv else ""
    threads = "1 thread" if count == 1 else f"{count} threads"
    return f"Stacks of process {pid}{name} ({threads})"


def _command(diagnosis: Diagnosis) -> tuple[str, ...]:
    """Return what one would type in a shell; a line end in an argument stays one."""
    target = diagnosis.target
    if not target.argv:
        return ()
    folder = (f"cd {shlex.quote(clean(target.cwd))}",) if target.cwd else ()
    typed = tuple(clean(line, 3000) for line in shlex.join(target.argv).split("\n"))
    return (*folder, *typed)


def _fold(
    title: str,
    lines: tuple[str, ...],
    *,
    most: int,
    shape: str = "text",
    keeps: str = "first",
) -> Section:
    section = Section(title=title, lines=lines, most=most, fold=True)
    return replace(section, shape=shape, keeps=keeps)
