"""The files that make an interpreter heed a watch, and how to know them again.

Each begins with the digest of the rest, so that `disarm` can tell what arm wrote from what somebody
changed: with no list, for another user, and with another version of hangbisect.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from hangbisect.follow.watch_session import ROOT, folder_name
from hangbisect.model._struct import Data

PTH = "00_hangbisect_gate.pth"
START = "00_hangbisect_gate.start"
MODULE = "_hangbisect_gate.py"
NAMES = (PTH, START, MODULE)
"""In the order in which they are removed: the module goes when nothing names it any more."""
SOURCE = Path(__file__).parents[1] / "probe" / "gate" / MODULE

_SETTINGS = 'ROOT, PATTERNS, UNTIL = "", (), 0\n'
_SEAL = b"# Written by hangbisect arm; sha256 of what follows: "


class Scope(Data, frozen=True, kw_only=True):
    """What an armed interpreter may be watched for, whoever watches."""

    until: int
    """Seconds since the epoch: from then on it heeds nothing."""
    patterns: tuple[str, ...] = ()
    """Command lines that are wanted; none: all."""
    root: str = ROOT
    """Where the session file is looked for."""


def files(scope: Scope, version: tuple[int, int], source: str) -> dict[str, bytes]:
    """Return the files to write, in this order, for a Python of that version.

    `source` is the text of the gate's module. From 3.15 on PEP 829 has `.start` files, and a `.pth`
    file of the same name is passed over then.
    """
    if _SETTINGS not in source:
        raise ValueError("the module of the gate has no line for its settings")
    setting = f"ROOT, PATTERNS, UNTIL = {scope.root!a}, {scope.patterns!a}, {scope.until}\n"
    made = {MODULE: source.replace(_SETTINGS, setting)}
    if version >= (3, 15):
        made[START] = "_hangbisect_gate:start\n"
    made[PTH] = _line(scope.root)
    return {name: sealed(text.encode("ascii")) for name, text in made.items()}


def sealed(data: bytes) -> bytes:
    """Put the digest of a file's text in front of it."""
    return _SEAL + hashlib.sha256(data).hexdigest().encode() + b"\n" + data


def is_as_written(data: bytes) -> bool:
    """Tell whether a file is what arm wrote, unchanged."""
    return data.startswith(_SEAL) and sealed(data.partition(b"\n")[2]) == data


def state_of(found: Mapping[str, bytes]) -> str:
    """Say in a word how the files of a folder are: armed, incomplete, changed, or gone."""
    if not found:
        return "gone"
    if not all(is_as_written(data) for data in found.values()):
        return "changed"
    return "armed" if MODULE in found and PTH in found else "incomplete"


def _line(root: str) -> str:
    """Return the line that site runs: idle, it asks once for a folder and imports nothing.

    It is an expression, with the code that may fail in a text: that is the least to compile at each
    start. To Python 2 `exec` is no name, and `compile` would make all types of `ast`, which takes a
    millisecond.
    """
    folder = f"{root}/{folder_name(0).removesuffix('0')}%d"
    code = "try:\n import _hangbisect_gate\n _hangbisect_gate.start()\nexcept BaseException:\n pass"
    asked = f"sys.version_info > (3, 8) and os.path.lexists({folder!a} % os.getuid())"
    return f"import os, sys; {asked} and getattr(__import__('builtins'), 'exec')({code!a})\n"
