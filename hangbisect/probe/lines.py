"""Python 3.12 on: each line of the entry script, and the calls of each module while it runs.

Events are local to those code objects, so nothing else becomes slower. Imported modules get CALL
events, never LINE: CPython looks a line up by a scan of the module's whole line table.
"""

import sys
from _thread import get_ident

from . import wire
from .cursor import Cursor
from .phases import Phases
from .recorder import Recorder
from .statements import Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

_monitoring: "Any" = getattr(sys, "monitoring", None)
_events: "Any" = getattr(_monitoring, "events", None)
_TOOLS = (3, 4)
"""Tool ids that no kind of tool has a claim to: https://docs.python.org/3/library/sys.monitoring.html"""
_LONGEST_ENTRY = 4000
"""Bytes of line table: beyond, a LINE event scans too long."""
_OFTEN = 100
"""A line that ran so often is not listened to any more: it is a loop."""


class Lines(Where):
    """Listens to the lines of the entry script, and to the calls of modules that run."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__(recorder)
        self._counts: "dict[int, int]" = {}
        self._main: "CodeType | None" = None
        self._tool = _take_tool()
        self._phases = Phases(recorder, self._tool)
        self.notes = [self._phases.gap] if self._phases.gap else []
        if self._tool is not None:
            _monitoring.register_callback(self._tool, _events.LINE, self._line)
            _monitoring.register_callback(self._tool, _events.CALL, self._call)
            _monitoring.register_callback(self._tool, _events.PY_RETURN, self._returned)

    def enters(self, code: "CodeType") -> None:
        """Listen to the entry script's lines."""
        if self._tool is None or _is_traced():
            return
        events = _events.PY_RETURN
        self._main = code
        is_short = len(code.co_linetable) <= _LONGEST_ENTRY
        self._say(wire.LEFT if is_short else wire.LEFT_ROUGHLY)  # until it returns
        if is_short:
            events |= _events.LINE
            self.code = code
        _monitoring.set_local_events(self._tool, code, events)

    def give_way(self) -> None:
        """Stop listening to lines: a debugger or a tracer wants them."""
        self._phases.give_way()
        code, self._main, self.code = self._main, None, None
        if code is not None and self._tool is not None:
            _monitoring.set_local_events(self._tool, code, 0)
            self._say(0)

    def executes(self, code: "CodeType", name: str) -> None:
        """Listen to the calls of the module `name` that is about to run, and to its milestones."""
        if self._tool is not None:
            _monitoring.set_local_events(self._tool, code, _events.CALL)
            self._phases.executes(code, name)

    def _line(self, code: "CodeType", line: int) -> object:
        recorder = self._recorder
        try:
            if code is not self.code or get_ident() != recorder.main:
                return None
            self.note(code.co_filename, line)
            count = self._counts[line] = self._counts.get(line, 0) + 1
            return _monitoring.DISABLE if count >= _OFTEN else None
        except BaseException as error:
            recorder.check(error)
            return _monitoring.DISABLE

    def _returned(self, code: "CodeType", offset: int, value: object) -> object:
        recorder = self._recorder
        if code is not self._main:
            return self._phases.returned(code, value)
        try:
            if get_ident() == recorder.main:
                self._say(wire.RETURNED)
        except BaseException as error:
            recorder.check(error)
        return _monitoring.DISABLE

    def _say(self, how: int) -> None:
        """Note whether the entry script came to its end."""
        thread = self._recorder.thread()
        if thread is not None and thread.ring is not None:
            thread.ring.word(wire.ENTRY_END, how)

    def _call(self, code: "CodeType", offset: int, called: object, argument: object) -> object:
        recorder = self._recorder
        try:
            thread = recorder.thread()
            if thread is None or thread.ring is None or thread.at is None or not thread.stack:
                return _monitoring.DISABLE
            kind, _, file, _ = thread.stack[-1]
            if kind == wire.EXEC and file == code.co_filename:
                depth = len(thread.stack)
                cursor = thread.cursors.get(depth)
                if cursor is None or cursor.code is not code:
                    cursor = thread.cursors[depth] = Cursor(code)
                thread.ring.position(thread.at, depth, cursor.line(offset))
        except BaseException as error:
            recorder.check(error)
        return _monitoring.DISABLE


def _take_tool() -> "int | None":
    for tool in _TOOLS:
        if _monitoring.get_tool(tool) is None:
            _monitoring.use_tool_id(tool, "hangbisect")
            return tool
    return None


def _is_traced() -> bool:
    return sys.gettrace() is not None or _monitoring.get_tool(0) is not None
