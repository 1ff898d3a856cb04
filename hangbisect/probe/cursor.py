"""From an instruction's offset to its line, cheaply for offsets that mostly grow.

A frame's `f_lineno` scans the module's whole line table each time, so asking it at every call of a
long module costs the square of its length. Module code runs downwards: one scan serves them all.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType


class Cursor:
    """A place in one code object's line table (Python 3.10 on)."""

    __slots__ = ("_begin", "_end", "_line", "_ranges", "code")

    def __init__(self, code: "CodeType") -> None:
        self.code = code
        self._begin = self._end = self._line = 0
        self._restart()

    def line(self, offset: int) -> int:
        """Give the line of the instruction at `offset`, in bytes; 0 if it has none."""
        if offset < self._begin:
            self._restart()
        while offset >= self._end:
            try:
                self._begin, self._end, line = next(self._ranges)
            except StopIteration:
                return 0
            self._line = line or 0
        return self._line

    def _restart(self) -> None:
        self._ranges = self.code.co_lines()  # novm
        self._begin = self._end = self._line = 0
