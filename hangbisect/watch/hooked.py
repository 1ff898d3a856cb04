"""Why a Python process has no probe of ours in it: its options, environment, user, build. Pure."""

import os
import re
from collections.abc import Iterator, Sequence

from hangbisect.model import Entrance, Gap, Process

_SWITCHES = {
    "I": "-I ignores PYTHONPATH and the user's site",
    "E": "-E ignores PYTHONPATH",
    "S": "-S skips site, where the probe enters",
}
_WITH_VALUE = "WXcm"
"""Options of the interpreter after which a value follows: https://docs.python.org/3/using/cmdline.html"""
_NOT_YET = "the probe has not come up: PYTHONPATH was changed, or Python has not reached site yet"
_WAYS: dict[Entrance, str] = {
    "": _NOT_YET,
    "open": "the probe has not come up: Python has not reached site yet, or another sitecustomize "
    "hides ours",
    "no folder": "the variable that names the record's folder was taken from its environment",
    "replaced": "its PYTHONPATH was replaced by the program that started it",
    "dropped": "PYTHONPATH was taken from its environment by the program that started it",
    "scrubbed": "its environment was scrubbed: PYTHONPATH and our variable are gone",
    "emptied": "it was started with an empty environment",
    "fenced": "a ._pth file beside its interpreter says which folders count",
}
_PYTHON = re.compile(r"(?i)(python|pypy)w?[\d.]*[a-z]*(\.exe)?")
_OLDEST = (3, 8)


def reason(row: Process, ours: int | None) -> str:
    """Say why a Python process has no probe; `ours` is the user that the command runs as.

    The most certain is said first: an option, a foreign user, an old version, a program that
    carries its own Python, and then what its environment shows.
    """
    option = why_not_hooked(row.argv)
    plain = _PYTHON.fullmatch(os.path.basename(row.executable)) is not None
    if option in _SWITCHES.values() and plain:
        return option
    if ours is not None and row.owner is not None and row.owner != ours:
        return f"it runs as another user (uid {row.owner}): sudo and su make a new environment"
    if _version(row.python) < _OLDEST:
        return f"Python {row.python} is older than 3.8, the oldest that the probe runs in"
    if any(argument.endswith(".pex") or "/.pex/" in argument for argument in row.argv):
        return "it is a PEX file, which starts Python apart from PYTHONPATH"
    if not plain and row.executable:
        return "its Python is built into the program (PyInstaller, static): PYTHONPATH is not read"
    return _WAYS[row.entrance]


def _version(text: str) -> tuple[int, ...]:
    numbers = tuple(int(part) for part in text.split(".")[:2] if part.isdigit())
    return numbers or _OLDEST


def why_not_hooked(argv: Sequence[str]) -> str:
    """Return the option that keeps the probe out, or words for not knowing."""
    for letter in _letters(argv[1:]):
        if letter in _SWITCHES:
            return _SWITCHES[letter]
    return _NOT_YET


def cost_of_options(pid: int, argv: Sequence[str]) -> tuple[Gap, ...]:
    """Say what cannot be told of a process whose command line keeps the probe out."""
    why = why_not_hooked(argv)
    if why not in _SWITCHES.values():
        return ()
    return (
        Gap(
            what=f"imports and statements of process {pid} as they begin and end",
            why=why,
            remedy="The step is read from its stack instead; leave the option out for a record.",
        ),
    )


def _letters(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the interpreter's own one-letter options: those before its program, without values."""
    rest = iter(arguments)
    for argument in rest:
        if argument == "--check-hash-based-pycs":
            next(rest, None)
        elif argument.startswith("--") and argument != "--":
            continue
        elif not argument.startswith("-") or argument in ("-", "--"):
            return
        else:
            valued = next((at for at, c in enumerate(argument) if c in _WITH_VALUE), None)
            yield from argument[1:valued]
            if valued is not None and argument[valued] in "cm":
                return
            if valued == len(argument) - 1:
                next(rest, None)
