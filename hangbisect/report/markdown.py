"""The report as Markdown for an issue tracker: what matters in the open, the details folded.

It has less than 60,000 characters, because GitHub takes 65,536 in an issue. Each section may have
a size of its own, and the stacks get what is left; the report says at its end what was cut.
"""

from collections.abc import Iterator

from hangbisect.model import Diagnosis, Finding, Step
from hangbisect.report._advice import meaning, next_steps
from hangbisect.report._chain import Words, steps_of, wait_words
from hangbisect.report._escape import cell, code, prose
from hangbisect.report._folds import details, shown, stacks
from hangbisect.report._headline import headline
from hangbisect.report._lines import evidence, left, since, title
from hangbisect.report._phases import phase_lines
from hangbisect.report._section import Section
from hangbisect.report._style import Style
from hangbisect.report._wording import action, duration, place

SUFFIXES = ("md",)
"""Of files whose usual format it is."""
LIMIT = 60_000
"""Characters that a report never exceeds."""
_ROOM_FOR_THE_END = 1500


def render(diagnosis: Diagnosis, style: Style) -> str:
    """Return the report as Markdown of at most `LIMIT` characters, whatever the style."""
    opened = [shown(section) for section in _sections(diagnosis)]
    folded = [shown(section) for section in details(diagnosis)]
    texts = [_title(diagnosis), *(section.text for section, _ in opened)]
    ends = [section.text for section, _ in folded]
    used = sum(len(text) + 1 for text in (*texts, *ends))
    stacked, short = stacks(diagnosis, LIMIT - _ROOM_FOR_THE_END - used)
    cut = [words for _, words in (*opened, *folded) if words]
    parts = (*texts, stacked, *ends, _end(diagnosis, (*cut, *short)))
    return "\n".join(part for part in parts if part)


def _title(diagnosis: Diagnosis) -> str:
    word, sentence = headline(diagnosis)
    return f"# {word}: {prose(sentence.removesuffix('.'), 200)}\n"


def _sections(diagnosis: Diagnosis) -> Iterator[Section]:
    """Give what stands in the open, in its order."""
    yield Section(title="", name="Times", lines=_times(diagnosis), most=600)
    yield Section(title="Where", lines=_where(diagnosis), most=4500)
    yield Section(title="Waits for", lines=_waits(diagnosis), most=6500)
    yield Section(title="Why", lines=tuple(_why(diagnosis)), most=9000)
    yield Section(title="What to do", lines=tuple(_advice(diagnosis)), most=4500)
    yield Section(title="Environment", lines=_environment(diagnosis), most=4000)


def _times(diagnosis: Diagnosis) -> tuple[str, ...]:
    words = " ".join(filter(None, (since(diagnosis), left(diagnosis))))
    return (words,) if words else ()


def _where(diagnosis: Diagnosis) -> tuple[str, ...]:
    lines = []
    cwd, step = diagnosis.target.cwd, diagnosis.step
    if diagnosis.last_completed is not None:
        lines.append(f"- Last completed: {_step(diagnosis.last_completed, cwd)}")
    if step is not None:
        began = "" if step.began is None else f", since {duration(step.began)} after the start"
        lines.append(f"- Blocked: {_step(step, cwd)}{began}")
    lines += [f"- {prose(line[:1].upper() + line[1:])}" for line in phase_lines(diagnosis)]
    steps = steps_of(diagnosis)
    if len(steps) > 1:
        lines.append("- How it got there:")
    for number, link in enumerate(steps if len(steps) > 1 else (), start=1):
        where = place(link, cwd)
        lines.append(f"  {number}. {code(where) + ' ' if where else ''}{code(action(link))}")
    return tuple(lines)


def _step(step: Step, cwd: str) -> str:
    """Say a step with its place; a line without text is its place."""
    where = place(step, cwd)
    if step.kind == "statement" and not step.name and where:
        return code(where)
    return f"{code(action(step))} at {code(where)}" if where else code(action(step))


def _waits(diagnosis: Diagnosis) -> tuple[str, ...]:
    words = wait_words(diagnosis)
    return tuple(f"{number}. {_wait(link)}" for number, link in enumerate(words, start=1))


def _wait(link: Words) -> str:
    at = f" (at {code(link.at)})" if link.at else ""
    who = f"**{prose(link.who)}**{':' if link.is_end else ''} " if link.who else ""
    return f"{who}{prose(link.says)}{at}"


def _why(diagnosis: Diagnosis) -> Iterator[str]:
    if not diagnosis.findings:
        if diagnosis.verdict in ("hung", "unknown"):
            yield prose(meaning(diagnosis))
            yield from _evidence(diagnosis)
        return
    best, *others = diagnosis.findings
    yield f"**{prose(title(best))}**: {prose(best.summary, 600)}"
    yield ""
    yield f"Blocker: {_blocker(best)}"
    yield from _evidence(diagnosis)
    yield from _experiments(best)
    if others:
        yield from ("", "Also seen:", "")
        yield from (f"- {prose(title(other))}: {prose(other.summary)}" for other in others[:5])


def _blocker(finding: Finding) -> str:
    blocker = finding.blocker
    about = [
        f"{name.replace('_', ' ')} {_value(value)}"
        for name, value in blocker.detail.items()
        if value not in (None, "", [])
    ]
    detail = f" ({'; '.join(prose(text, 160) for text in about[:8])})" if about else ""
    return f"{blocker.kind} {code(blocker.id)}{detail}"


def _value(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _evidence(diagnosis: Diagnosis) -> Iterator[str]:
    lines = evidence(diagnosis)
    if lines:
        yield from ("", "Evidence:", "")
        yield from (f"- {prose(line)}" for line in lines)


def _experiments(finding: Finding) -> Iterator[str]:
    if finding.experiments:
        yield from ("", "Experiments:", "")
    for trial in finding.experiments:
        observed = prose(", ".join(trial.observed), 100)
        foretold = f"predicted {prose(trial.predicted, 100)}, observed {observed}"
        yield f"- {prose(trial.question)}: {foretold}: {trial.verdict}"


def _advice(diagnosis: Diagnosis) -> Iterator[str]:
    best = diagnosis.findings[0] if diagnosis.findings else None
    if best is None:
        if diagnosis.verdict in ("hung", "unknown"):
            yield from (f"- {prose(line)}" for line in next_steps(diagnosis))
        return
    if best.fix is not None:
        yield prose(best.fix.summary, 600) + (" (tried: it helps)" if best.fix.verified else "")
        yield ""
        steps = enumerate(best.fix.steps, start=1)
        yield from (f"{number}. {prose(step)}" for number, step in steps)
        yield ""
    yield f"More about this cause: {code(f'hangbisect explain {best.code}')}"


def _environment(diagnosis: Diagnosis) -> tuple[str, ...]:
    target, system = diagnosis.target, diagnosis.system
    machine = f"{system.platform} {system.machine}, kernel {system.kernel}" if system else ""
    rows = {
        "hangbisect": diagnosis.tool.removeprefix("hangbisect").strip(),
        "Python": target.python,
        "interpreter": target.interpreter,
        "chosen because it is": target.interpreter_reason,
        "machine": machine.removesuffix(", kernel "),
        "C library": system.libc if system else "",
        "working directory": target.cwd,
    }
    filled = [f"| {name} | {cell(value)} |" for name, value in rows.items() if value.strip()]
    return (*filled[:1], "| --- | --- |", *filled[1:]) if filled else ()


def _end(diagnosis: Diagnosis, cut: tuple[str, ...]) -> str:
    tool = prose(diagnosis.tool or "hangbisect", 60)
    written = f"Written by {tool}. Secrets are masked where they were recognised."
    if not cut:
        return f"{written}\n"
    return (
        f"**Cut** to stay below {LIMIT:,} characters. Left out: {'; '.join(cut)}. "
        f"The whole is in the JSON report, `--format json`.\n\n{written}\n"
    )
