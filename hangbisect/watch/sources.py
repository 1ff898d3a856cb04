"""Read the source lines that steps and frames name. Runs in a helper: a file may lie on a dead mount."""

import linecache
from collections.abc import Iterator

from hangbisect.host._protocol import Question
from hangbisect.model import Facts

MOST = 160


def sources(question: Question) -> Iterator[Facts]:
    """Yield the text of each line asked for, shortened; lines that cannot be read are left out."""
    for file, line in question.lines:
        text = linecache.getline(file, line).strip()
        if text:
            yield Facts(sources=((file, line, text[:MOST]),))
