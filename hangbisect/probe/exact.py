"""`--statements exact` on 3.8 to 3.11: each statement of the entry script, from marks in its code.

From 3.12 on `lines` has them without any marks. What cannot be marked runs as it is, and a note in
the record says so.
"""

import os
import sys
from _thread import get_ident

from . import entry, wire
from .marks import Marks, compile_marked
from .nodes import AT_END
from .recorder import Recorder
from .statements import Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, TracebackType

MARKED = (
    "--statements exact put marks into the script's code: what reads its code object or its "
    "bytecode sees another than without"
)
UNMARKED = "--statements exact could not be done, statements are those seen in passing: "


class Exact(Where):
    """Marks the statements of the entry script, if the interpreter can be brought to run that."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._marks: "Marks | None" = None
        self._marked: "CodeType | None" = None
        self._entry = entry.Entry(self._compile)
        reason = self._entry.arm()
        self._is_said = bool(reason)
        if reason and _is_first(recorder.folder):  # what a program starts itself was not asked for
            self.notes = [UNMARKED + reason]

    def enters(self, code: "CodeType") -> None:
        """Listen to the marks, if this code has any."""
        self._entry.disarm()
        if code is self._marked:
            self.code = code
            self._say(wire.LEFT)  # until it returns
            return
        super().enters(code)
        if not self._is_said:
            self._note(UNMARKED + "another hook has taken the script's path")

    def give_way(self) -> None:
        """Let no mark be called any more: a debugger or a tracer would see it."""
        if self._marks is not None:
            self._marks.left.clear_all()
        self.code = None

    def _compile(self, path: str) -> "CodeType | None":
        """Give the script's code with marks; None if it has to run as it is."""
        try:
            if sys.gettrace() is not None or sys.getprofile() is not None:
                raise ValueError("a tracer or a profiler came first")
            self._marks, self._marked = compile_marked(_read(path), path, self._mark)
        except Exception as error:
            self._note("%s%s: %s" % (UNMARKED, type(error).__name__, error))
            return None
        self._note(MARKED)
        return self._marked

    def _mark(self, number: int) -> None:
        recorder, marks = self._recorder, self._marks
        try:
            if marks is None or self._marked is None or get_ident() != recorder.main:
                return
            if number == AT_END:
                self._ends(sys.exc_info()[2])
            else:
                marks.left[number] -= 1
                self.note(self._marked.co_filename, marks.lines[number])
        except BaseException as error:
            recorder.check(error)

    def _note(self, words: str) -> None:
        self._is_said = True
        self._recorder.event(wire.NOTE, words)

    def _ends(self, error: "TracebackType | None") -> None:
        """Note how the script ends; do what the interpreter does when it has run one itself."""
        if error is None:
            self._say(wire.RETURNED)
        else:
            self._say(wire.LEFT, error.tb_lineno)
        self._entry.ends(forget=error is None)

    def _say(self, how: int, line: int = 0) -> None:
        """Note whether the entry script came to its end, and where it was left."""
        thread = self._recorder.thread()
        if thread is not None and thread.ring is not None:
            thread.ring.word(wire.ENTRY_LINE, line & wire.MASK)
            thread.ring.word(wire.ENTRY_END, how)


def _read(path: str) -> bytes:
    if not os.path.isfile(path):
        raise ValueError("it is no regular file")  # what is read from a FIFO would be gone
    with open(path, "rb") as file:
        return file.read()


def _is_first(folder: str) -> bool:
    """Tell whether no process has a record yet: this is the one that the user started."""
    return not any(wire.size_of(name) for name in os.listdir(folder))
