"""Read the sources that steps and phases name, in a helper: a file may lie on a dead mount."""

import linecache
import re
from collections.abc import Iterator

from hangbisect.host import Question
from hangbisect.model import Facts
from hangbisect.watch.scopes import scope_at

MOST = 160
"""Characters of a line that are kept."""
STARTS = re.compile(r"\.(start|submit)\(")
"""Lines that start a thread or hand work to one: who should have ended a wait."""


def sources(question: Question) -> Iterator[Facts]:
    """Yield the text of each line asked for, and of the lines above it that start threads.

    And the qualified name of each function asked for, "" where it cannot be told.
    """
    for file, line in question.lines:
        for number in (*_starts_above(file, line), line):
            if text := "".join(_lines(file)[max(number - 1, 0) : number]).strip():
                yield Facts(sources=((file, number, text[:MOST]),))
    for file, line, function in question.functions:
        yield Facts(
            scopes=((file, line, function, scope_at("".join(_lines(file)), line, function)),)
        )


def _starts_above(file: str, line: int) -> tuple[int, ...]:
    above = enumerate(_lines(file)[: max(line - 1, 0)], start=1)
    return tuple(number for number, text in above if STARTS.search(text))[-4:]


def _lines(file: str) -> list[str]:
    try:
        return linecache.getlines(file)
    except ValueError:  # a name that no file can have
        return []
