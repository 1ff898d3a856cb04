"""Where the entry script stands: read at each import, and at each of its lines from 3.12 on."""

import sys
from _thread import get_ident

from . import wire
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType

_MAIN = ("__main__", "__mp_main__")
_TOOLS = (3, 4)
_LONGEST_ENTRY = 4000
"""Bytes of line table: beyond, a LINE event scans too long (its cost grows with the module)."""
_LONGEST_MODULE = 2000
_OFTEN = 100
"""A line that ran so often is not listened to any more: it is a loop."""


class Where:
    """Knows the statement of the entry script that was seen last."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._last = ("", 0)
        self.code: "CodeType | None" = None
        """The entry script's code, while its lines are listened to."""

    def seen(self, frame: "FrameType | None") -> None:
        """Look for the entry script's statement below an import that begins."""
        recorder = self._recorder
        if get_ident() != recorder.main or self.code is not None:
            return
        thread = recorder.thread()
        if thread is None or thread.stack:
            return  # what is nested in an import cannot have moved the entry script
        main = _main_frame(frame)
        if main is not None:
            self.note(main.f_code.co_filename, main.f_lineno or 0)

    def note(self, file: str, line: int) -> None:
        """Write down that the entry script stands at this line."""
        thread = self._recorder.thread()
        if thread is None or thread.ring is None or (file, line) == self._last:
            return
        self._last = (file, line)
        thread.ring.entry(file, line, thread.tid)
        thread.ring.event(wire.STATEMENT, "", file, line, thread.tid)

    def enters(self, code: "CodeType") -> None:
        """Listen to the entry script's lines (3.12 on)."""

    def executes(self, code: "CodeType") -> None:
        """Listen to the calls of a module that is about to run (3.12 on)."""

    def give_way(self) -> None:
        """Stop listening to lines: a debugger or a tracer wants them."""


def _main_frame(frame: "FrameType | None") -> "FrameType | None":
    """Give the innermost frame that runs the entry script itself, not code made from a string."""
    found = None
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and frame.f_globals.get("__name__") in _MAIN:
            found = frame
            if not code.co_filename.startswith("<"):
                return found
        frame = frame.f_back
    return found


if sys.version_info >= (3, 12):
    _events = sys.monitoring.events

    class Monitored(Where):
        """Listens to the lines of the entry script, and to the calls of modules that run."""

        def __init__(self, recorder: Recorder) -> None:
            super().__init__(recorder)
            self._counts: "dict[int, int]" = {}
            self._tool = _take_tool()
            if self._tool is not None:
                sys.monitoring.register_callback(self._tool, _events.LINE, self._line)
                sys.monitoring.register_callback(self._tool, _events.CALL, self._call)

        def enters(self, code: "CodeType") -> None:
            """Listen to the entry script's lines."""
            if self._tool is None or len(code.co_linetable) > _LONGEST_ENTRY or _is_traced():
                return
            sys.monitoring.set_local_events(self._tool, code, _events.LINE)
            self.code = code

        def give_way(self) -> None:
            """Stop listening to lines: a debugger or a tracer wants them."""
            code, self.code = self.code, None
            if code is not None and self._tool is not None:
                sys.monitoring.set_local_events(self._tool, code, 0)

        def executes(self, code: "CodeType") -> None:
            """Listen to the calls of a module that is about to run, unless it is long."""
            if self._tool is not None and len(code.co_linetable) <= _LONGEST_MODULE:
                sys.monitoring.set_local_events(self._tool, code, _events.CALL)

        def _line(self, code: "CodeType", line: int) -> object:
            recorder = self._recorder
            try:
                if code is not self.code or get_ident() != recorder.main:
                    return None
                self.note(code.co_filename, line)
                count = self._counts[line] = self._counts.get(line, 0) + 1
                return sys.monitoring.DISABLE if count >= _OFTEN else None
            except BaseException as error:
                recorder.check(error)
                return sys.monitoring.DISABLE

        def _call(self, code: "CodeType", offset: int, called: object, argument: object) -> object:
            recorder = self._recorder
            try:
                thread = recorder.thread()
                if thread is not None and thread.stack and thread.at is not None:
                    kind, _, file, _ = thread.stack[-1]
                    if kind == wire.EXEC and file == code.co_filename and thread.ring is not None:
                        line = sys._getframe(1).f_lineno or 0
                        thread.ring.position(thread.at, len(thread.stack), line)
            except BaseException as error:
                recorder.check(error)
            return sys.monitoring.DISABLE

    def _take_tool() -> "int | None":
        for tool in _TOOLS:
            if sys.monitoring.get_tool(tool) is None:
                sys.monitoring.use_tool_id(tool, "hangbisect")
                return tool
        return None

    def _is_traced() -> bool:
        return sys.gettrace() is not None or sys.monitoring.get_tool(0) is not None


def make(recorder: Recorder) -> Where:
    """Give what this version of Python can do."""
    if sys.version_info >= (3, 12):
        return Monitored(recorder)
    return Where(recorder)
