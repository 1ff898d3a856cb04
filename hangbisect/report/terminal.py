"""The report for people: about one screen of 80 columns, also without colour and in ASCII."""

import io
from collections.abc import Iterator

from rich.console import Console, ConsoleRenderable
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from hangbisect.model import Diagnosis, Finding, ProcessNote
from hangbisect.report._advice import meaning, next_steps
from hangbisect.report._chain import chain_of, step_tree, wait_tree
from hangbisect.report._headline import headline
from hangbisect.report._style import Style
from hangbisect.report._wording import action, clean, command, done, duration, place

_COLOURS = {
    "hung": "bold red",
    "crashed": "bold red",
    "failed": "bold red",
    "finished": "bold green",
}
_MOST = 6
"""Lines of a list that are shown; the JSON report has them all."""
_QUIET = ("finished", "failed")


def render(diagnosis: Diagnosis, style: Style) -> str:
    """Return the report as text of at most `style.width` columns."""
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
    for part in _parts(diagnosis):
        console.print(part)
    file.flush()
    return "".join(f"{line.rstrip()}\n" for line in raw.getvalue().decode().splitlines())


def _parts(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    word, sentence = headline(diagnosis)
    yield Text.assemble((word, _COLOURS.get(diagnosis.verdict, "bold yellow")), ": ", sentence)
    if diagnosis.verdict in _QUIET and not diagnosis.findings:
        return
    yield from _since(diagnosis)
    yield from _where(diagnosis)
    yield from _waits(diagnosis)
    yield from _why(diagnosis)
    yield from _advice(diagnosis)
    yield from _gaps(diagnosis)
    if len(diagnosis.processes) > 1:
        yield from _processes(diagnosis)
    yield from _target(diagnosis)


def _since(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    stalled, seen = diagnosis.stalled_at, duration(diagnosis.elapsed)
    if stalled is None:
        return
    if 0 < diagnosis.watched_since >= stalled:
        watched = duration(diagnosis.watched_since)
        words = f"Watched from {watched} to {seen} after the start: nothing moved."
    else:
        words = f"Last progress {duration(stalled)} after the start, judged at {seen}."
    yield Text(words, "dim")


def _where(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    tree, last = step_tree(diagnosis), diagnosis.last_completed
    if tree is None and last is None:
        return
    yield Text("Where", "bold")
    if tree is not None:
        yield _indented(tree)
    if last is not None:
        yield _indented(Text(f"completed before: {done(last, diagnosis.target.cwd)}", "dim"))


def _waits(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    tree = wait_tree(diagnosis)
    if tree is not None:
        yield Text("Waits for", "bold")
        yield _indented(tree)


def _why(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    if not diagnosis.findings:
        if diagnosis.verdict in ("hung", "unknown"):
            yield Text("Why", "bold")
            yield _indented(Text(meaning(diagnosis)))
            yield from _list(
                "Evidence", [line for link in chain_of(diagnosis) for line in link.evidence]
            )
        return
    best, *others = diagnosis.findings
    yield Text.assemble(("Why", "bold"), f"  {_title(best)}")
    yield _indented(Text(clean(best.summary)))
    yield from _list("Evidence", [f"{item.ref}: {item.shows}" for item in best.evidence])
    yield from _list("Also seen", [f"{_title(other)}: {other.summary}" for other in others], most=2)


def _title(finding: Finding) -> str:
    return f"{clean(finding.code)} {clean(finding.name)} ({finding.certainty})"


def _advice(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    best = diagnosis.findings[0] if diagnosis.findings else None
    if best is None:
        if diagnosis.verdict in ("hung", "unknown"):
            yield from _list("What to try next", list(next_steps(diagnosis)))
        return
    yield Text("What to do", "bold")
    if best.fix is not None:
        tried = " (tried: it helps)" if best.fix.verified else ""
        yield _indented(Text(clean(best.fix.summary) + tried))
        for number, step in enumerate(best.fix.steps, start=1):
            yield _item(f"{number}.", step)
    yield _indented(Text(f"More about this cause: hangbisect explain {clean(best.code)}", "dim"))


def _gaps(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    """List what could not be seen, together where the reason is the same."""
    alike: dict[tuple[str, str], list[str]] = {}
    for gap in diagnosis.gaps:
        alike.setdefault((gap.why, gap.remedy), []).append(gap.what)
    lines = [
        f"{'; '.join(whats)}: {why}" + (f" ({remedy})" if remedy else "")
        for (why, remedy), whats in alike.items()
    ]
    yield from _list("Not seen", lines, most=4)


def _processes(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    lines = [_process(note, diagnosis) for note in diagnosis.processes]
    yield from _list("Processes", lines)


def _process(note: ProcessNote, diagnosis: Diagnosis) -> str:
    parts = [f"{note.pid}", note.role, command(note.argv, 40), f"state {note.state}"]
    if note.step is not None:
        parts.append(f"{action(note.step, 30)} {place(note.step, diagnosis.target.cwd)}".rstrip())
    if note.why_not_hooked:
        parts.append(f"seen from outside only: {note.why_not_hooked}")
    return "  ".join(part for part in parts if part)


def _target(diagnosis: Diagnosis) -> Iterator[ConsoleRenderable]:
    target = diagnosis.target
    if target.pid == 0:
        return
    python = f"Python {clean(target.python)}" if target.python else "Python"
    reason = f" ({clean(target.interpreter_reason)})" if target.interpreter_reason else ""
    yield Text("Target", "bold")
    yield _indented(Text(f"{command(target.argv, 200)}"))
    yield _indented(
        Text(f"pid {target.pid}, {python} {clean(target.interpreter)}".rstrip() + reason, "dim")
    )
    if diagnosis.ended:
        yield _indented(Text("hangbisect ended it.", "dim"))
    elif target.exit is None and diagnosis.verdict in ("hung", "slow"):
        yield _indented(Text("It was left running.", "dim"))


def _list(title: str, lines: list[str], most: int = _MOST) -> Iterator[ConsoleRenderable]:
    if not lines:
        return
    yield Text(title, "bold")
    for line in lines[:most]:
        yield _item("-", line)
    if len(lines) > most:
        yield _item("-", f"and {len(lines) - most} more (the JSON report has them all)")


def _item(mark: str, line: str) -> ConsoleRenderable:
    """Return a line of a list whose further lines stand below its text."""
    grid = Table.grid("", Column(overflow="fold"), padding=(0, 1, 0, 0))
    grid.add_row(Text(mark, "dim"), Text(clean(line)))
    return _indented(grid)


def _indented(part: ConsoleRenderable) -> ConsoleRenderable:
    return Padding(part, (0, 0, 0, 2), expand=False)
