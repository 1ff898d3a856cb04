"""Hooks on CPython's own import machinery that leave no frame behind while a module runs.

`_ModuleLockManager` is entered and left by every import that is not served from `sys.modules`, and
`_call_with_frames_removed` runs a module's code or an extension's creation. Both are replaced by
functions of the same name compiled under importlib's own file name, so tracebacks and warnings are
trimmed by CPython as ever, and no import costs a level of recursion.
"""

import _frozen_importlib
import _imp
import builtins
import os
import sys
from _thread import get_ident

from . import departure, disguise, statements, wire
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, Optional

    Start = Callable[[str, "FrameType | None"], Optional[int]]

_bootstrap: "Any" = _frozen_importlib


def install(recorder: Recorder, where: statements.Where, skipped: str) -> None:
    """Begin to record imports. Frames of the file `skipped` are never named as the importer."""
    start = _starter(recorder, where, _machinery(skipped))
    _hook_lock_manager(start, recorder.end, _leaver(recorder))
    _hook_lock_wait(start, recorder.end)
    _hook_calls(recorder, where)


def _machinery(skipped: str) -> "frozenset[str]":
    """Name the files whose frames are importlib's own or ours."""
    package = os.path.join(os.path.dirname(os.__file__), "importlib", "__init__.py")
    external = "<frozen importlib._bootstrap_external>"
    return frozenset((disguise.FILE, external, "<frozen importlib>", package, skipped))


def _leaver(recorder: Recorder) -> "Callable[[BaseException], None]":
    def left(error: BaseException) -> None:
        try:
            departure.left_import(recorder, error)
        except BaseException as trouble:
            recorder.check(trouble)

    return left


def _hook_lock_manager(
    start: "Start",
    end: "Callable[[int | None, int], None]",
    left: "Callable[[BaseException], None]",
) -> None:
    manager = _bootstrap._ModuleLockManager
    enter, leave = manager.__enter__, manager.__exit__
    getframe, done = sys._getframe, wire.IMPORTED

    def __enter__(self):  # type: ignore[no-untyped-def]
        self._hangbisect = started = start(self._name, getframe(1))
        try:
            return enter(self)
        except BaseException:
            end(started, wire.IMPORT_FAILED)
            raise

    def __exit__(self, error=None, value=None, trace=None):  # type: ignore[no-untyped-def]
        try:
            return leave(self, error, value, trace)
        finally:
            if error is None:
                end(self._hangbisect, done)
            else:
                end(self._hangbisect, wire.IMPORT_FAILED)
                if self._hangbisect == 0 and error is SystemExit:
                    left(value)

    manager._hangbisect = None
    manager.__enter__ = __enter__
    manager.__exit__ = __exit__


def _starter(recorder: Recorder, where: statements.Where, machinery: "frozenset[str]") -> "Start":
    modules, begin, kind = sys.modules, recorder.begin, wire.IMPORT

    def start(name: str, frame: "FrameType | None") -> "int | None":
        if name in modules and not _is_initializing(modules.get(name)):
            return None  # up to 3.10 this is asked for modules that are there already, too
        try:
            while frame is not None:
                file = frame.f_code.co_filename
                if file not in machinery:
                    where.seen(frame)
                    return begin(kind, name, file, frame.f_lineno or 0)
                frame = frame.f_back
        except BaseException as error:
            recorder.check(error)
            return None
        return begin(kind, name, "", 0)

    return start


def _hook_lock_wait(start: "Start", end: "Callable[[int | None, int], None]") -> None:
    """Record the wait for a module that another thread imports."""
    original = getattr(_bootstrap, "_lock_unlock_module", None)
    locks = getattr(_bootstrap, "_module_locks", None)
    if original is None or locks is None:
        return
    getframe = sys._getframe

    def _lock_unlock_module(name):  # type: ignore[no-untyped-def]
        reference = locks.get(name)
        owner = getattr(reference and reference(), "owner", None)
        if owner is None or owner == get_ident():
            return original(name)
        started = start(name, getframe(1))
        try:
            return original(name)
        finally:
            end(started, wire.IMPORTED)

    _bootstrap._lock_unlock_module = _lock_unlock_module


def _hook_calls(recorder: Recorder, where: statements.Where) -> None:
    run, create, execute = builtins.exec, _imp.create_dynamic, _imp.exec_dynamic
    begin, end = recorder.begin, recorder.end

    def executes(args: "tuple[Any, ...]") -> "int | None":
        try:
            code, scope = args
            name = str(scope.get("__name__", ""))
            where.executes(code, name)
            return begin(wire.EXEC, name, code.co_filename, 0)
        except BaseException as error:
            recorder.check(error)
            return None

    def loads(kind: int, args: "tuple[Any, ...]", name: str, file: str) -> "int | None":
        try:
            named = args[0]
            place = str(getattr(named, file, "") or "")
            return begin(kind, str(getattr(named, name, "")), place, 0)
        except BaseException as error:
            recorder.check(error)
            return None

    def _call_with_frames_removed(f, *args, **kwds):  # type: ignore[no-untyped-def]
        if f is run:
            started, done = executes(args), 0
        elif f is create:
            started, done = loads(wire.CREATE, args, "name", "origin"), wire.CREATED
        elif f is execute:
            started, done = loads(wire.EXEC, args, "__name__", "__file__"), 0
        else:
            return f(*args, **kwds)
        try:
            return f(*args, **kwds)
        finally:
            end(started, done)

    _bootstrap._call_with_frames_removed = _call_with_frames_removed


def _is_initializing(module: object) -> bool:
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))
