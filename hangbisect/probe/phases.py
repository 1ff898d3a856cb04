"""Python 3.12 on: when each phase of the start begins and ends, by events of single functions.

A function's code is found in the code of its module before that runs: nothing is looked up in a
module, nothing is replaced, and decorators make no difference. Events are local to those functions.
An exception leaves a call without an event (PY_UNWIND cannot be local), so a phase that was left in
that way is closed when the next one begins; until then whoever reads stacks from outside can tell.
"""

import os
import sys
from _thread import _local

from . import milestones, wire
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any

    from .milestones import Milestone

    Opened = list[tuple[CodeType, Milestone, bool]]
    """The calls a thread is in, outermost first; whether each is the outermost of its phase."""

_monitoring: "Any" = getattr(sys, "monitoring", None)
_events: "Any" = getattr(_monitoring, "events", None)
_MOST = 64
"""Calls of one function that are noted: one that is called more often is no phase."""
_ARGUMENTS = "arguments parsed"
NO_TOOL = "phases come from stacks only: other tools have taken the ids of sys.monitoring"
NO_TABLE = "phases come from stacks only: the table of milestones could not be read"
GAVE_WAY = "phases come from stacks only: a tracer or a debugger came"


class Phases:
    """Listens to the functions that `milestones` names, in each module that is about to run."""

    def __init__(self, recorder: Recorder, tool: "int | None") -> None:
        """Listen through the `tool` id of sys.monitoring; not at all without one."""
        self._recorder = recorder
        self._tool = tool
        self._local = _local()
        self._known: "dict[int, list[Any]]" = {}
        """By id of a function's code: the code, its milestone, and how many calls were noted."""
        self._reached: "set[str]" = set()
        self._is_over = False
        self._rows: "dict[str, list[str]]" = {}
        self.gap = NO_TOOL if tool is None else ""
        """Why it does not listen, "" if it does."""
        if tool is None:
            return
        try:
            self._rows = milestones.rows(os.path.dirname(__file__))
        except OSError:
            self.gap = NO_TABLE
            return
        _monitoring.register_callback(tool, _events.PY_START, self._start)

    def executes(self, code: "CodeType", module: str) -> None:
        """Listen to the milestones of a module whose code is about to run."""
        rows = self._rows.get(module)
        if rows is None or self._is_over:
            return
        wanted = {m.name: m for m in map(milestones.Milestone, rows)}
        for function in milestones.functions(code, frozenset(wanted)):
            name: str = getattr(function, "co_qualname")  # noqa: B009
            self._known[id(function)] = [function, wanted[name], 0]
            events = _events.PY_START | _events.PY_RETURN
            _monitoring.set_local_events(self._tool, function, events)

    def give_way(self) -> None:
        """Listen no more: a debugger or a tracer wants the events."""
        if self.gap:
            return
        self.gap = GAVE_WAY
        self._recorder.event(wire.NOTE, GAVE_WAY)
        self._rows = {}
        for function, _, _ in self._known.values():
            _monitoring.set_local_events(self._tool, function, 0)
        self._known.clear()

    def _start(self, code: "CodeType", offset: int) -> object:
        try:
            known = self._known.get(id(code))
            if known is None or self._is_spent(known):
                return _monitoring.DISABLE
            milestone: "Milestone" = known[1]
            if milestone.later and _ARGUMENTS not in self._reached:
                return None
            known[2] += 1
            self._begin(code, milestone, sys._getframe(1))
        except BaseException as error:
            self._recorder.check(error)
            return _monitoring.DISABLE
        return None

    def returned(self, code: "CodeType", value: object) -> object:
        """Take in PY_RETURN of a function: a tool has one callback for all of them."""
        try:
            opened = self._opened()
            at = len(opened) - 1
            while at >= 0 and opened[at][0] is not code:
                at -= 1
            if at < 0:
                known = self._known.get(id(code))
                return _monitoring.DISABLE if known is None or self._is_spent(known) else None
            _, milestone, is_outermost = opened[at]
            self._fail(opened, at + 1)
            del opened[at]
            if is_outermost and milestone.ends and self._counts(milestone, value, opened):
                self._reach(milestone, code)
        except BaseException as error:
            self._recorder.check(error)
            return _monitoring.DISABLE
        return None

    def _begin(self, code: "CodeType", milestone: "Milestone", frame: "FrameType | None") -> None:
        opened = self._opened()
        if opened:
            self._fail(opened, _left(opened, frame))
        is_outermost = all(other.phase != milestone.phase for _, other, _ in opened)
        opened.append((code, milestone, is_outermost))
        if is_outermost and milestone.lasts:
            self._note(wire.PHASE, milestone, code)
        elif is_outermost and milestone.begins:
            self._reach(milestone, code)

    def _fail(self, opened: "Opened", at: int) -> None:
        """Close what an exception left, from the entry `at` on."""
        while len(opened) > at:
            code, milestone, is_outermost = opened.pop()
            if is_outermost and milestone.lasts:
                self._note(wire.PHASE_FAILED, milestone, code)

    def _counts(self, milestone: "Milestone", value: object, opened: "Opened") -> bool:
        if milestone.true and value is not True and not (type(value) is int and value > 0):
            return False
        if not milestone.later:
            return True
        thread = self._recorder.thread()
        in_import = thread is not None and bool(thread.stack)
        return not (opened or in_import or milestone.phase in self._reached)

    def _is_spent(self, known: "list[Any]") -> bool:
        """Tell whether no further call of a function can count."""
        _, milestone, calls = known
        if self._is_over and milestone.phase != milestones.STEP:
            return True
        if milestone.later and milestone.phase in self._reached:
            return True
        return bool(calls >= (1 if milestone.first else _MOST))

    def _opened(self) -> "Opened":
        """Give the calls of milestones that this thread is in; a forked child begins anew."""
        local = self._local
        pid = os.getpid()
        if getattr(local, "pid", 0) != pid:
            local.pid = pid
            local.opened = []
        opened: "Opened" = local.opened
        return opened

    def _reach(self, milestone: "Milestone", code: "CodeType") -> None:
        self._reached.add(milestone.phase)
        self._is_over = self._is_over or milestone.phase == milestones.TRAINING
        self._note(wire.PHASE_DONE, milestone, code)

    def _note(self, kind: int, milestone: "Milestone", code: "CodeType") -> None:
        self._recorder.event(kind, milestone.phase, code.co_filename, code.co_firstlineno)


def _left(opened: "Opened", frame: "FrameType | None") -> int:
    """Tell how many of the calls, outermost first, are still on the stack below a new call."""
    running = set()
    frame = frame.f_back if frame is not None else None
    while frame is not None:
        running.add(id(frame.f_code))
        frame = frame.f_back
    for at, (code, _, _) in enumerate(opened):
        if id(code) not in running:
            return at
    return len(opened)
