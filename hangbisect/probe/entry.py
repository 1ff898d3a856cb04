"""Lets the interpreter run code of ours as the entry script, with nothing of ours on the stack.

For 3.8 to 3.11 (Modules/main.c). Before a script is opened, the interpreter asks `sys.path_hooks`
whether its path is a folder or an archive. If so, it calls `runpy._run_module_as_main`, whatever
that is: here a function made of the script's code, whose frame is the module's own. What the
interpreter does around a script that it runs itself is done here.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

_FORMS = {
    "-c": "the code of -c has no file",
    "-m": "a module is run, not a script",
    "-": "the script comes from standard input",
    "": "the script comes from standard input",
}
_VALUED = "WX"


class Entry:
    """Runs the entry script from the code that `compiles` gives for its path, if it gives any."""

    def __init__(self, compiles: "Callable[[str], CodeType | None]") -> None:
        self._compiles = compiles
        self._paths: "tuple[str, ...]" = ()
        self._path = ""
        self._code: "Any" = None
        self._hook: "Any" = self._takes
        self._runpy: "Any" = None

    def arm(self) -> str:
        """Wait for the interpreter to ask for its script. Return why that is no use, or ""."""
        name = sys.argv[0]
        reason = _FORMS.get(name) or _hindrance()
        if not reason:
            # From 3.9 on the interpreter asks for the absolute path.
            self._paths = (name, os.path.join(_working_directory(), name))
            sys.path_hooks.insert(0, self._hook)
        return reason

    def disarm(self) -> None:
        """Wait no more."""
        if self._hook in sys.path_hooks:
            sys.path_hooks.remove(self._hook)

    def ends(self, *, forget: bool) -> None:
        """Flush what the script has written, and `forget` its path, as Python does at its end."""
        for stream in (sys.stderr, sys.stdout):
            try:
                stream.flush()
            except Exception:  # as in flush_io of Python/pythonrun.c
                pass
        if forget:
            names = sys.modules["__main__"].__dict__
            for name in ("__file__", "__cached__"):
                names.pop(name, None)

    def _takes(self, path: str) -> "Entry":
        """Say that we can run this path: what `sys.path_hooks` are asked."""
        if path in self._paths and _is_asked_by_interpreter():
            self._path, self._code = path, self._compiles(path)
            if self._code is not None:
                self._runpy = sys.modules.get("runpy")
                modules: "dict[str, Any]" = sys.modules
                modules["runpy"] = self
                return self
        raise ImportError

    def __getattr__(self, name: str) -> object:
        if name != "_run_module_as_main":
            raise AttributeError(name)
        return self._take_over()

    def _take_over(self) -> "Callable[[str, bool], None]":
        """Put the interpreter's state as for a script; give the function that is the script."""
        del sys.modules["runpy"]
        if self._runpy is not None:
            sys.modules["runpy"] = self._runpy
        sys.path_importer_cache[self._path] = None
        if sys.path[:1] == [self._path]:
            safe = getattr(sys.flags, "safe_path", False)  # 3.11
            sys.path[:1] = [] if safe else [os.path.dirname(os.path.realpath(sys.argv[0]))]
        main = sys.modules["__main__"].__dict__
        if "__file__" not in main:
            main["__file__"], main["__cached__"] = self._path, None
        loader = sys.modules["_frozen_importlib_external"].SourceFileLoader
        main["__loader__"] = loader("__main__", self._path)
        sys.audit("exec", self._code)
        function: "Any" = type(_working_directory)  # as `types` has it
        script: "Callable[[str, bool], None]" = function(self._code, main)
        return script


def _is_asked_by_interpreter() -> bool:
    try:
        sys._getframe(2)
    except ValueError:
        return True
    return False


def _hindrance() -> str:
    """Say which option of the interpreter is in the way; "" if none."""
    if sys.flags.inspect or sys.flags.interactive:
        return "-i was given"
    try:
        letters = _letters()
    except OSError:
        return "the options of Python cannot be read"
    return "-x was given" if "x" in letters else ""


def _letters() -> str:
    """Give the interpreter's one-letter options, without values."""
    arguments = getattr(sys, "orig_argv", None)  # 3.10
    if arguments is None:
        with open("/proc/self/cmdline", encoding="utf-8", errors="replace") as file:
            arguments = file.read().split("\0")
    letters = ""
    rest = iter(arguments[1:])
    for argument in rest:
        if argument[:1] != "-" or argument in ("-", "--"):
            break
        if argument[:2] == "--":
            next(rest, None)  # --check-hash-based-pycs
            continue
        valued = next((at for at, letter in enumerate(argument) if letter in _VALUED), None)
        letters += argument[1:valued]
        if valued == len(argument) - 1:
            next(rest, None)
    return letters


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
