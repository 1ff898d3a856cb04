"""Shorten text to a number of columns: a CJK character or an emoji takes two."""

from rich.cells import cell_len, set_cell_size

MARK = "..."


def clip(text: str, columns: int) -> str:
    """Shorten text at its end."""
    if cell_len(text) <= columns:
        return text
    return set_cell_size(text, max(columns - len(MARK), 0)).rstrip() + MARK


def clip_start(text: str, columns: int) -> str:
    """Shorten a path at its start: its end says more."""
    if cell_len(text) <= columns:
        return text
    return MARK + set_cell_size(text[::-1], max(columns - len(MARK), 0))[::-1].lstrip()
