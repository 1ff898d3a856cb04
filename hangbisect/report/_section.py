"""A Markdown report as sections, each cut to a size of its own. Pure.

A section says how large it may become, in characters, so that the whole cannot grow beyond the sum
of them. Its lines are escaped already where it is Markdown; in a `text` section they are shown as
they are, within a fence.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import Literal

from hangbisect.model._struct import Data
from hangbisect.report._escape import fence_for

_ROOM_FOR_FRAME = 120


class Section(Data, frozen=True, kw_only=True):
    """A heading and what stands below it; empty sections are not shown."""

    title: str
    """Escaped for where it stands: Markdown for a heading, HTML for a fold."""
    lines: tuple[str, ...]
    most: int
    """The largest size of the whole section, in characters."""
    name: str = ""
    """What a cut section is called at the end of the report; "" is its title."""
    shape: Literal["markdown", "text"] = "markdown"
    fold: bool = False
    keeps: Literal["first", "last"] = "first"
    """Which lines stay when it is cut."""


class Shown(Data, frozen=True, kw_only=True):
    """A section as text, and how many of its lines did not fit."""

    text: str
    left_out: int


def show(section: Section) -> Shown:
    """Return the section in Markdown, of at most `section.most` characters."""
    if not section.lines:
        return Shown(text="", left_out=0)
    fence = fence_for(section.lines) if section.shape == "text" else ""
    room = section.most - len(section.title) - 2 * len(fence) - _ROOM_FOR_FRAME
    kept = _fitting(section, room)
    if not kept:
        return Shown(text="", left_out=len(section.lines))
    left_out = len(section.lines) - len(kept)
    return Shown(text=_framed(section, _marked(kept, section, left_out), fence), left_out=left_out)


def _fitting(section: Section, room: int) -> tuple[str, ...]:
    lines = section.lines if section.keeps == "first" else section.lines[::-1]
    sizes = accumulate(len(line) + 1 for line in lines)
    count = next((number for number, size in enumerate(sizes) if size > room), len(lines))
    return lines[:count] if section.keeps == "first" else lines[:count][::-1]


def _marked(kept: tuple[str, ...], section: Section, left_out: int) -> tuple[str, ...]:
    """Say in its place that lines are missing."""
    if not left_out:
        return kept
    if section.shape == "text":
        mark = f"... {left_out} more lines are left out"
        return (*kept, mark) if section.keeps == "first" else (mark, *kept)
    is_table = kept[0].startswith("|")
    return kept if is_table else (*kept, "", f"... and {left_out} more, left out here.")


def _framed(section: Section, lines: Iterable[str], fence: str) -> str:
    body = "\n".join(lines)
    if fence:
        body = f"{fence}text\n{body}\n{fence}"
    if section.fold:
        return f"<details><summary>{section.title}</summary>\n\n{body}\n\n</details>\n"
    return f"## {section.title}\n\n{body}\n" if section.title else f"{body}\n"
