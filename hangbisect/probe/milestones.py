"""The table of milestones: which function tells which phase. The data is `milestones.txt`."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

FILE = "milestones.txt"
TRAINING = "training begins"
"""The phase with which a start is over."""
STEP = "first step"
"""What is still waited for then."""
_LARGEST = 1 << 16


class Milestone:
    """A function that tells a phase.

    Attributes:
        phase: The phase in the report's words.
        module: The module that defines the function.
        name: The function's qualified name.
        begins: The begin of a call counts.
        ends: The return of a call counts.
        first: Only the first call counts.
        later: A call counts only once arguments are parsed, outside of imports and other phases.
        true: A call counts only if it returned True or a number above zero.
    """

    __slots__ = ("begins", "ends", "first", "later", "module", "name", "phase", "true")

    def __init__(self, row: str) -> None:
        """Read one row of the table."""
        self.phase, edges, self.module, self.name, _ = row.split("|")
        words = edges.split()
        self.begins = words[0] in ("begin", "begin+end")
        self.ends = words[0] in ("end", "begin+end")
        self.first = "first" in words
        self.later = "later" in words
        self.true = "true" in words

    @property
    def lasts(self) -> bool:
        """The phase goes on from the begin to the end of a call."""
        return self.begins and self.ends


def rows(folder: str) -> "dict[str, list[str]]":
    """Read the table beside this module, unparsed, by module.

    Raises:
        OSError: It is not there.
    """
    descriptor = os.open(os.path.join(folder, FILE), os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        text = os.read(descriptor, _LARGEST).decode("ascii")
    finally:
        os.close(descriptor)
    found: "dict[str, list[str]]" = {}
    for row in text.split("\n"):
        if row and row[0] != "#":
            found.setdefault(row.split("|", 3)[2], []).append(row)
    return found


def functions(code: "CodeType", names: "frozenset[str]") -> "Iterator[CodeType]":
    """Find functions by their qualified names in a module's code, before it runs (3.11 on)."""
    for inner in code.co_consts:
        if isinstance(inner, type(code)):
            name: str = getattr(inner, "co_qualname")  # noqa: B009
            if name in names:
                yield inner
            if any(wanted.startswith(name + ".") for wanted in names):
                yield from functions(inner, names)
