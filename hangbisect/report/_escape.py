"""Put text that a stranger wrote into Markdown, so that it stays text. Pure.

Nothing is guessed about dialects: outside a code span only plain words are let through. A word
that could mean something to a tracker (`@name`, `#12`, `ABC-12`, a commit, a link, emphasis, HTML,
an emoji) becomes a code span, in which Markdown and the trackers' own links have no power
(https://github.github.com/gfm/#code-spans).
"""

import html
import re
from collections.abc import Iterable, Iterator

from hangbisect.report._wording import clean

_PIECE = re.compile(r"(?P<code>`[^`]+`)|(?P<space>\s+)|(?P<word>[^\s`]+|`)")
_EDGES = re.compile(r"(?P<lead>[(\"']*)(?P<core>.*?)(?P<trail>[)\"'.,;:!?]*)", re.DOTALL)
_PLAIN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|\d+(?:[.,]\d+)+")
_LINKED = re.compile(r"(?i)\b[0-9a-f]{7,}\b|[a-z]-\d")
"""Plain words that trackers link all the same: a commit, GH-12."""
_MARKER = re.compile(r"\d+[.)]")
"""What would begin a list."""
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_TICKS = re.compile(r"`+")


def prose(text: str, limit: int = 300) -> str:
    """Return one line of text for a paragraph, a heading or an item of a list."""
    words = list(_words(clean(text, limit)))
    if words and _MARKER.fullmatch(words[0]):
        words[0] = _span(words[0])
    return " ".join(words) or "(nothing)"


def code(text: str, limit: int = 300) -> str:
    """Return text as a code span that nothing in it can end. Not for tables: see `cell`."""
    return _span(clean(text, limit))


def cell(text: str, limit: int = 200) -> str:
    """Return text as code for a cell of a table, where a pipe would end it even in a code span."""
    shown = clean(text, limit)
    if "|" not in shown:
        return _span(shown)
    return f"<code>{_PUNCTUATION.sub(lambda found: f'&#{ord(found.group())};', shown)}</code>"


def inside_html(text: str, limit: int = 200) -> str:
    """Return text as code within an HTML block, where Markdown has no power."""
    return f"<code>{html.escape(clean(text, limit), quote=False)}</code>"


def fence_for(lines: Iterable[str]) -> str:
    """Return a fence that is longer than any run of backticks in the lines."""
    return "`" * max(3, 1 + max((_longest_run(line) for line in lines), default=0))


def _words(line: str) -> Iterator[str]:
    """Give each word between spaces as it may stand; a span in backticks belongs to its word."""
    word: list[tuple[bool, str]] = []
    for piece in _PIECE.finditer(line):
        if piece["space"] is None:
            word.append((piece["code"] is not None, piece.group()))
        elif word:
            yield _word(word)
            word = []
    if word:
        yield _word(word)


def _word(pieces: list[tuple[bool, str]]) -> str:
    """Return a word: plain, or its core as one code span between harmless punctuation."""
    lead = trail = ""
    if not pieces[0][0]:
        found = _edges(pieces[0][1])
        lead = found["lead"] if found["core"] or len(pieces) > 1 else ""
        pieces = [(False, pieces[0][1][len(lead) :]), *pieces[1:]]
    if not pieces[-1][0]:
        found = _edges(pieces[-1][1])
        trail = found["trail"] if found["core"] or len(pieces) > 1 else ""
        last = pieces[-1][1]
        pieces = [*pieces[:-1], (False, last[: len(last) - len(trail)])]
    core = "".join(text[1:-1] if is_code else text for is_code, text in pieces)
    while _is_open(core, trail[:1]):
        core, trail = core + trail[0], trail[1:]
    is_plain = not any(is_code for is_code, _ in pieces) and _is_plain(core)
    return f"{lead}{core if is_plain else _span(core)}{trail}"


def _is_open(core: str, closes: str) -> bool:
    """Tell whether a closing mark is that of a call or a string, not of the sentence."""
    if closes == ")":
        return core.count("(") > core.count(")")
    return closes in ("'", '"') and core.count(closes) % 2 == 1


def _edges(text: str) -> re.Match[str]:
    found = _EDGES.fullmatch(text)
    assert found is not None  # each of its parts may be empty
    return found


def _is_plain(core: str) -> bool:
    return _PLAIN.fullmatch(core) is not None and _LINKED.search(core) is None


def _span(text: str) -> str:
    """Return a code span: its fence is longer than what is inside, spaces at its ends are kept."""
    if not text.strip():
        return "(nothing)"
    fence = "`" * (1 + _longest_run(text))
    padded = text.startswith(("`", " ")) or text.endswith(("`", " "))
    return f"{fence} {text} {fence}" if padded else f"{fence}{text}{fence}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
