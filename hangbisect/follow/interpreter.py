"""What an interpreter says of itself: its version, and where it looks for `.pth` files."""

import json
import subprocess
from pathlib import Path

from hangbisect.errors import UsageError
from hangbisect.model._struct import Data

OLDEST = (3, 8)
_PATIENCE = 30.0
"""Seconds that an interpreter may take to answer."""
_ASK = """
import json, os, site, sys, sysconfig
found = {
    "version": list(sys.version_info[:2]),
    "folders": getattr(site, "getsitepackages", list)(),
    "packages": sysconfig.get_path("purelib"),
    "user": site.getusersitepackages() if hasattr(site, "getusersitepackages") else "",
    "user_is_read": bool(site.ENABLE_USER_SITE) or sys.prefix == sys.base_prefix,
    "no_site": bool(sys.flags.no_site),
}
os.write(1, json.dumps(found).encode())
"""


class Interpreter(Data, frozen=True, kw_only=True):
    """A Python that may be armed."""

    executable: str
    version: tuple[int, int]
    site: str
    """The folder whose `.pth` files it runs in each process."""
    user_site: str = ""
    """The user's own such folder, "" if it has none, as in virtual environments."""


def ask(executable: str) -> Interpreter:
    """Ask an interpreter, by running it.

    Raises:
        UsageError: it cannot be run, is too old, or runs no `.pth` file.
    """
    try:
        answer = subprocess.run(
            [executable, "-I", "-c", _ASK],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired:
        raise UsageError(f"{executable} does not answer within {_PATIENCE:.0f} s") from None
    except OSError as error:
        raise UsageError(f"{executable} cannot be started: {error.strerror}") from error
    return parse(executable, answer)


def parse(executable: str, answer: bytes) -> Interpreter:
    """Read an interpreter's answer; raises as `ask` does."""
    try:
        found = json.loads(answer)
        version = (int(found["version"][0]), int(found["version"][1]))
        folders = [str(folder) for folder in found["folders"]]
        packages, user = str(found["packages"]), str(found["user"] or "")
        reads_user, no_site = bool(found["user_is_read"]), bool(found["no_site"])
    except (ValueError, KeyError, TypeError, IndexError):
        raise UsageError(
            f"{executable} is not a Python 3.8 or newer",
            help="Name the Python that runs your script, as `.venv/bin/python`.",
        ) from None
    if version < OLDEST:
        raise UsageError(f"{executable} is Python {version[0]}.{version[1]}, which is too old")
    if no_site or not folders:
        raise UsageError(
            f"{executable} runs no .pth files, so it cannot be armed",
            help="It starts without `site` (a ._pth file beside it says so): look at its processes "
            "with `hangbisect attach PID`.",
        )
    return Interpreter(
        executable=executable,
        version=version,
        site=packages if packages in folders else folders[0],
        user_site=user if reads_user else "",
    )


def compile_module(executable: str, module: Path) -> None:
    """Have an interpreter keep a module compiled: others who run it may not write there."""
    code = "import sys, py_compile; py_compile.compile(sys.argv[1], doraise=False, quiet=2)"
    try:
        subprocess.run(
            [executable, "-I", "-c", code, str(module)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return  # it is compiled at each start then, and only while a watch is open
