"""Whether hangbisect lives in an environment that somebody works in, or in its own."""

import re
import sys
from pathlib import Path

_TOOLS = frozenset({"pip", "setuptools", "wheel", "uv", "pipx"})
_NEEDS = "Requires-Dist:"


def is_shared() -> bool:
    """Say whether our environment holds anything but hangbisect, what it needs, and installers."""
    installed = _installed()
    needed: set[str] = set()
    todo = ["hangbisect"]
    while todo:
        name = todo.pop()
        if name not in needed:
            needed.add(name)
            todo += _requirements(installed[name]) if name in installed else []
    return bool(installed.keys() - needed - _TOOLS)


def _installed() -> dict[str, Path]:
    """Map each installed package to the folder that describes it.

    The folders' names are enough: importlib.metadata parses a file for each and takes much longer.
    """
    folders = (found for entry in sys.path for found in Path(entry).glob("*.dist-info"))
    return {_plain(folder.name.partition("-")[0]): folder for folder in folders}


def _requirements(folder: Path) -> list[str]:
    try:
        head = (folder / "METADATA").read_text("utf-8", "replace").partition("\n\n")[0]
    except OSError:
        return []
    lines = (line for line in head.splitlines() if line.startswith(_NEEDS))
    needed = (line.removeprefix(_NEEDS).strip() for line in lines if "extra ==" not in line)
    return [_plain(re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0]) for text in needed]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
