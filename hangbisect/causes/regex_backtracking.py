"""A regular expression tries more ways to match than the program will live to see.

## What happens

One call of `re` never returns. The thread runs, holds Python's lock (GIL) all the while, and no
other thread, nor Ctrl-C, gets a turn.

## Why

A pattern with a repetition inside a repetition over the same characters, such as `(a+)+$`, has
exponentially many ways to fit a text that in the end does not match. A text of thirty
characters is enough.

## How it is recognised

The thread runs, its innermost code is the engine of `re` (by the Python frame, or by the native
one where the pattern was compiled before), and it did not come out of it for the whole patience.

## How it is proved

By a run of that pattern alone on a shorter text, whose time grows by a constant factor with each
character. An enormous text may also take long, so facts alone make this "likely".

## Fix

Write the pattern so that each character can be matched in one way only: `a+$`, an atomic group
`(?>...)` or a possessive `a++` (Python 3.11 on). Limit the text's length before it is matched.

## References

- https://docs.python.org/3/library/re.html#regular-expression-syntax
- https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS
"""

import re

from hangbisect.causes._evidence import frame_row, thread_row
from hangbisect.causes._rows import from_afar, own_frame, ref_of, source_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading, is_in_regex_engine

LITERAL = re.compile(
    r"\b(?:match|fullmatch|search|sub|subn|split|findall|finditer|compile)\(\s*"
    r"[rRbBuU]{0,2}(?P<quote>['\"])(?P<pattern>.+?)(?<!\\)(?P=quote)"
)


class RegexBacktracking(Rule):
    """A call of the regular expression engine that does not end."""

    code = "HB106"
    name = "regex-backtracking"
    specificity = 55

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a running thread inside the engine."""
        for thread in suspects(reading):
            runs = thread.state == "R" or (thread.call and thread.call.name == "running")
            if runs and is_in_regex_engine(thread):
                return self._found(reading, thread)
        return None

    def _found(self, reading: Reading, thread: Thread) -> Finding:
        frame = own_frame(thread)
        line = source_of(reading.snapshot, frame) if frame else ""
        pattern = _pattern(thread, line)
        what = f"the pattern {pattern}" if pattern else "a pattern that could not be read"
        rows = [thread_row(reading, thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            _certainty(reading, thread),
            f"{where(thread)} matches {what} and does not come to an end: the engine of re tries "
            "one way after the other.",
            blocker=Blocker(
                kind="pattern",
                id=pattern or line or where(thread),
                detail={"line": line or None, "cpu": thread.cpu},
            ),
            evidence=(*rows, _engine_row(thread)),
            fix=Fix(
                summary=f"Rewrite the pattern at {where(thread)} so that it fits in one way only.",
                steps=(
                    "Look for a repetition inside a repetition, such as (a+)+ or (.*,)*.",
                    "Try the pattern alone on texts of 20, 22, 24 characters, and time it.",
                    "Until then limit the length of the text: long ones are then refused.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _pattern(thread: Thread, line: str) -> str:
    """Return the pattern: from the frame of re, else as the source line spells it."""
    for frame in reversed(thread.frames[-2:]):
        for local in frame.locals:
            if local.name == "pattern" and local.type == "str" and local.text:
                return local.text
    found = LITERAL.search(line)
    return found["pattern"] if found else ""


def _certainty(reading: Reading, thread: Thread) -> Certainty:
    waited = reading.snapshot.occasion == "patience"
    return from_afar(reading, thread) if waited else "possible"


def _engine_row(thread: Thread) -> Evidence:
    names = [frame.symbol for frame in thread.native[-3:] if "sre_" in frame.symbol.lower()]
    inner = thread.frames[-1] if thread.frames else None
    said = names[-1] if names else f"{inner.function} of {inner.file}" if inner else "re"
    return Evidence(ref=f"thread:{thread.tid}", shows=f"its innermost code is {said}")


cause = RegexBacktracking()
