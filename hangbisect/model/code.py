"""Whose code a source file is, by its name alone: Python's own, an installed package's, the user's.

Names are those of any machine: a snapshot is read elsewhere too. `<string>` and `<stdin>` are the
user's; `<frozen os>` is Python's.
"""

import re

FROZEN = "<frozen "
_PACKAGES = re.compile(r"/(?:site|dist)-packages/")
_LIBRARY = re.compile(
    r"(?:/lib(?:64)?/(?:python|pypy)3\.\d+t?"  # also in virtual environments and in a Framework
    r"|/(?:python|pypy)3\d+\.zip"
    r"|^[A-Za-z]:/(?:.*/)?Lib)/(?P<path>.+)"  # Windows
)
_IMPORTLIB = ("importlib/__init__.py", "importlib/_bootstrap")


def standard_path(file: str) -> str:
    """Return a file's path within Python's own library: "asyncio/tasks.py"; "" for other files."""
    name = file.replace("\\", "/")
    found = None if _PACKAGES.search(name) else _LIBRARY.search(name)
    return found["path"] if found else ""


def is_standard(file: str) -> bool:
    """Tell whether a file is Python's own library's."""
    return file.startswith(FROZEN) or standard_path(file) != ""


def is_installed(file: str) -> bool:
    """Tell whether a file is an installed package's."""
    return _PACKAGES.search(file.replace("\\", "/")) is not None


def is_own(file: str) -> bool:
    """Tell whether a file is the user's own code."""
    return file != "" and not is_standard(file) and not is_installed(file)


def is_importlib(file: str) -> bool:
    """Tell whether a file is the import machinery's."""
    path = standard_path(file)
    return file.startswith("<frozen importlib") or path.startswith(_IMPORTLIB)


def is_regex(file: str) -> bool:
    """Tell whether a file is the standard module re, in any version."""
    return standard_path(file) in ("re.py", "re/__init__.py")
