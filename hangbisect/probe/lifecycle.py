"""What happens to the process: the entry script begins, a fork, an exec, an error, the end."""

import os
import sys

from . import departure, statements, wire
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    Handlers = dict[str, Callable[[tuple[Any, ...]], object]]

_ENTRY = __name__.rpartition(".")[0] + ".entry"
"""The module that runs an entry script with marks."""


def install(recorder: Recorder, where: statements.Where, *, public_only: bool) -> None:
    """Begin to record.

    With `public_only` nothing is asked that only a known CPython can answer.

    An audit hook cannot be taken away and must not run Python code for events it does not want.
    `cpython.PyInterpreterState_Clear` is the interpreter's end: after atexit, threads and modules,
    so nothing is registered that would change their order.
    """
    handlers: "Handlers" = {
        "sys.excepthook": lambda args: departure.uncaught(recorder, args),
        "os.exec": lambda args: departure.replaces(recorder, _program(recorder, args)),
        "os.posix_spawn": lambda args: _program(recorder, args),
        "os.system": lambda args: recorder.event(wire.EXEC_PROGRAM, "sh"),
        "subprocess.Popen": lambda args: _program(recorder, args),
        "cpython.PyInterpreterState_Clear": _finisher(recorder),
    }
    handlers["sys.settrace"] = handlers["sys.setprofile"] = lambda args: where.give_way()

    def begins(args: "tuple[CodeType, ...]") -> None:
        if _is_entry():
            del handlers["exec"]
            _main(recorder, where, args[0])

    handlers["exec"] = begins
    sys.addaudithook(_hook(recorder, handlers))
    if not public_only and not hasattr(sys, "monitoring"):
        departure.watch_end(recorder, where)
    register = getattr(os, "register_at_fork", None)
    if register is not None:
        register(after_in_parent=lambda: recorder.event(wire.FORK))


def _hook(recorder: Recorder, handlers: "Handlers") -> "Callable[[str, tuple[object, ...]], None]":
    def hook(event: str, args: "tuple[object, ...]") -> None:
        if event in handlers:
            try:
                handlers[event](args)
            except BaseException as error:
                recorder.check(error)

    return hook


def _is_entry() -> bool:
    """Tell whether the code about to run is the entry script: started natively, by `-m` or us."""
    try:
        frame = sys._getframe(3)
    except ValueError:
        return True  # no Python code below: the interpreter itself runs it
    module = frame.f_globals.get("__name__")
    return module == _ENTRY or (module == "runpy" and frame.f_code.co_name == "_run_code")


def _main(recorder: Recorder, where: statements.Where, code: "CodeType") -> None:
    recorder.event(wire.EXEC, "__main__", code.co_filename, 0)
    where.enters(code)


def _program(recorder: Recorder, args: "tuple[object, ...]") -> str:
    program = args[0]
    if isinstance(program, bytes):
        program = program.decode("utf-8", "replace")
    name = program if isinstance(program, str) else "?"
    recorder.event(wire.EXEC_PROGRAM, name)
    return name


def _finisher(recorder: Recorder) -> "Callable[[tuple[object, ...]], None]":
    """Bind all that is needed: at the very end modules have lost their globals."""
    getpid, pack, at = os.getpid, wire.WORD.pack_into, wire.FINISHED

    def finish(args: "tuple[object, ...]") -> None:
        ring = recorder.ring
        if ring is not None and ring.pid == getpid():
            pack(ring.memory, at, 1)

    return finish
