"""The report for people: one screen of 80 columns and 40 lines, with or without colour."""

import io
from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from rich.console import Console, ConsoleRenderable
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from hangbisect.model import Diagnosis
from hangbisect.model._walk import rebuild
from hangbisect.report._advice import meaning, next_steps
from hangbisect.report._clip import clip
from hangbisect.report._headline import headline
from hangbisect.report._limits import LEVELS, Limits, room
from hangbisect.report._lines import evidence, gaps, left, processes, since, title
from hangbisect.report._phases import phase_lines
from hangbisect.report._style import Style
from hangbisect.report._trees import step_tree, wait_tree
from hangbisect.report._wording import clean, command, done

_COLOURS = {
    "hung": "bold red",
    "crashed": "bold red",
    "failed": "bold red",
    "finished": "bold green",
}
_FIX = "green"
_QUIET = ("finished", "failed")
SUFFIXES = ("txt",)


def render(diagnosis: Diagnosis, style: Style) -> str:
    """Return the report as text of at most `style.width` columns, which fits one screen of 80x40.

    Where it is too long for that, long lists and long texts are shortened, and say so.
    """
    diagnosis = replace(diagnosis, threads=(), tail=(), environment=())
    if style.ascii:
        diagnosis = rebuild(diagnosis, _escape)
    text = ""
    for limits in LEVELS:
        text = _draw(_parts(diagnosis, limits), style)
        if text.count("\n") <= room(max(style.width, 40)):
            break
    return text


def _draw(parts: Iterator[ConsoleRenderable], style: Style) -> str:
    raw = io.BytesIO()
    encoding = "ascii" if style.ascii else "utf-8"
    file = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", newline="\n")
    console = Console(
        file=file,
        width=max(style.width, 40),
        color_system="standard" if style.colour else None,
        force_terminal=style.colour,
        no_color=not style.colour,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
    for part in parts:
        console.print(part)
    file.flush()
    return "".join(f"{line.rstrip()}\n" for line in raw.getvalue().decode().splitlines())


def _parts(diagnosis: Diagnosis, limits: Limits) -> Iterator[ConsoleRenderable]:
    word, sentence = headline(diagnosis)
    colour = _COLOURS.get(diagnosis.verdict, "bold yellow")
    yield Text.assemble((word, colour), ": ", clip(sentence, limits.summary))
    if diagnosis.verdict in _QUIET and not diagnosis.findings:
        return
    if words := since(diagnosis):
        yield Text(words, "dim")
    yield from _where(diagnosis, limits, colour)
    yield from _waits(diagnosis, limits)
    yield from _why(diagnosis, limits)
    yield from _advice(diagnosis, limits)
    yield from _list("Not seen", gaps(diagnosis), limits.gaps, limits.text)
    yield from _list("Processes", processes(diagnosis), limits.processes, limits.text)
    yield from _target(diagnosis, limits)


def _where(diagnosis: Diagnosis, limits: Limits, colour: str) -> Iterator[ConsoleRenderable]:
    tree, last = step_tree(diagnosis, limits, colour), diagnosis.last_completed
    phases = phase_lines(diagnosis)
    if tree is None and last is None and not phases:
        return
    yield Text("Where", "bold")
    if tree is not None:
        yield _indented(tree)
    if last is not None:
        completed = clip(done(last, diagnosis.target.cwd), limits.label)
        yield _indented(Text(f"completed before: {completed}", "dim"))
    for line in phases:
        yield _indented(Text(clip(line, limits.text)))


def _waits(diagnosis: Diagnosis, limits: Limits) -> Iterator[ConsoleRenderable]:
    tree = wait_tree(diagnosis, limits)
    if tree is not None:
        yield Text("Waits for", "bold")
        yield _indented(tree)


def _why(diagnosis: Diagnosis, limits: Limits) -> Iterator[ConsoleRenderable]:
    if not diagnosis.findings:
        if diagnosis.verdict in ("hung", "unknown"):
            yield Text("Why", "bold")
            yield _indented(Text(meaning(diagnosis)))
            yield from _list("Evidence", evidence(diagnosis), limits.evidence, limits.text)
        return
    best, *others = diagnosis.findings
    yield Text.assemble(("Why", "bold"), f"  {clip(title(best), limits.text)}")
    yield _indented(Text(clip(clean(best.summary), limits.summary)))
    yield from _list("Evidence", evidence(diagnosis), limits.evidence, limits.text)
    also = [f"{title(other)}: {other.summary}" for other in others]
    yield from _list("Also seen", also, limits.others, limits.text)


def _advice(diagnosis: Diagnosis, limits: Limits) -> Iterator[ConsoleRenderable]:
    best = diagnosis.findings[0] if diagnosis.findings else None
    if best is None:
        if diagnosis.verdict in ("hung", "unknown"):
            yield from _list(
                "What to try next", next_steps(diagnosis), limits.fix, limits.advice, _FIX
            )
        return
    yield Text("What to do", "bold")
    if best.fix is not None:
        tried = " (tried: it helps)" if best.fix.verified else ""
        yield _indented(Text(clip(clean(best.fix.summary), limits.summary) + tried, _FIX))
        yield from _items(best.fix.steps, limits.fix, limits.advice, numbered=True)
    code = clip(clean(best.code), 30)
    yield _indented(Text(f"More about this cause: hangbisect explain {code}", "dim"))


def _target(diagnosis: Diagnosis, limits: Limits) -> Iterator[ConsoleRenderable]:
    target = diagnosis.target
    if target.pid == 0:
        return
    python = f"Python {clean(target.python)}" if target.python else "Python"
    reason = f" ({clean(target.interpreter_reason)})" if target.interpreter_reason else ""
    about = f"pid {target.pid}, {python} {clean(target.interpreter)}".rstrip() + reason
    yield Text("Target", "bold")
    yield _indented(Text(command(target.argv, min(limits.text, 200))))
    yield _indented(Text(clip(about, limits.text), "dim"))
    if words := left(diagnosis):
        yield _indented(Text(words, "dim"))


def _list(
    title: str, lines: Sequence[str], most: int, columns: int, style: str = ""
) -> Iterator[ConsoleRenderable]:
    if lines and most:
        yield Text(title, "bold")
        yield from _items(lines, most, columns, style=style)
    elif lines:
        yield Text.assemble((title, "bold"), f"  {len(lines)}, see --format json")


def _items(
    lines: Sequence[str], most: int, columns: int, *, style: str = "", numbered: bool = False
) -> Iterator[ConsoleRenderable]:
    for number, line in enumerate(lines[:most], start=1):
        yield _item(f"{number}." if numbered else "-", clip(clean(line), columns), style)
    if len(lines) > most:
        yield _item("-", f"and {len(lines) - most} more, see --format json", "dim")


def _item(mark: str, line: str, style: str) -> ConsoleRenderable:
    """Return a line of a list whose further lines stand below its text."""
    grid = Table.grid("", Column(overflow="fold"), padding=(0, 1, 0, 0))
    grid.add_row(Text(mark, "dim"), Text(line, style))
    return _indented(grid)


def _indented(part: ConsoleRenderable) -> ConsoleRenderable:
    return Padding(part, (0, 0, 0, 2), expand=False)


def _escape(part: object) -> object | None:
    """Write what is not ASCII as escapes before it is laid out: they are wider."""
    if isinstance(part, str) and not part.isascii():
        return part.encode("ascii", "backslashreplace").decode()
    return None
