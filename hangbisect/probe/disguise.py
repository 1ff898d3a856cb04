"""Gives the probe's functions importlib's file name.

Tools that trace a program (coverage, trace, debuggers) leave importlib's frames alone, and so ours,
which run within an import: a report of the program's own lines stays what it was.
"""

import _imp
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = "<frozen importlib._bootstrap>"


def put_on(package: str) -> None:
    """Rename the file of every function of a package's modules that are loaded.

    In place and with all code within, by what importlib itself uses for a moved `.pyc`. Where there
    is no such function, the names stay.
    """
    rename = getattr(_imp, "_fix_co_filename", None)
    if rename is None:
        return
    for name, module in list(sys.modules.items()):
        if name.startswith(package) and module is not None:
            for function in _functions(vars(module), module.__name__):
                rename(function.__code__, FILE)  # type: ignore[attr-defined]


def _functions(names: "dict[str, object]", module: str) -> "Iterator[object]":
    for value in list(names.values()):
        if getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, type):
            yield from _functions(dict(vars(value)), module)
        elif hasattr(value, "__code__"):
            yield value
