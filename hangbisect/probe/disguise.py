"""Gives the probe's functions importlib's file name.

Tools that trace a program (coverage, trace, debuggers) leave importlib's frames alone, and so ours,
which run within an import: a report of the program's own lines stays what it was.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

FILE = "<frozen importlib._bootstrap>"


def put_on(package: str) -> None:
    """Rename the file of every function of a package's modules that are loaded."""
    for name, module in list(sys.modules.items()):
        if name.startswith(package) and module is not None:
            for function in _functions(vars(module), module.__name__):
                function.__code__ = renamed(function.__code__)  # type: ignore[attr-defined]


def renamed(code: "CodeType") -> "CodeType":
    """Return the code, and all code within it, as of importlib's file."""
    inner = tuple(renamed(c) if isinstance(c, type(code)) else c for c in code.co_consts)
    return code.replace(co_filename=FILE, co_consts=inner)


def _functions(names: "dict[str, object]", module: str) -> "Iterator[object]":
    for value in list(names.values()):
        if getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, type):
            yield from _functions(dict(vars(value)), module)
        elif hasattr(value, "__code__"):
            yield value
