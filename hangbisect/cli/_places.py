"""Look for the Pythons of this machine that the target might want: the facts behind the choice."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from hangbisect.cli._interpreter import Choice, Places, check_version, choose
from hangbisect.errors import UsageError

_TOOLS = frozenset({"pip", "setuptools", "wheel", "uv", "pipx"})
_ASK = "import sys; sys.stdout.write('%d.%d' % sys.version_info[:2])"
_PATIENCE = 20.0
"""Seconds that an interpreter may take to say its version."""


def interpreter(
    option: str | None, folder: Path, environment: Mapping[str, str], cwd: str
) -> tuple[Choice, str]:
    """Return the Python for a target in that folder, and its executable's path.

    Raises:
        UsageError: it is missing, is no Python, or is older than 3.8.
    """
    chosen = choose(option, places(folder, environment))
    executable = _find(chosen.argv[0], environment, cwd)
    if executable != sys.executable:
        check_version(executable, _ask_version(executable))
    return chosen, executable


def places(folder: Path, environment: Mapping[str, str]) -> Places:
    """Gather the facts."""
    beside = tuple(_prefix(folder / name) for name in (".venv", "venv") if (folder / name).is_dir())
    names = ("VIRTUAL_ENV", "CONDA_PREFIX")
    activated = tuple(_prefix(Path(environment[name])) for name in names if environment.get(name))
    found = {
        prefix: executable for prefix in (*beside, *activated) if (executable := _python_in(prefix))
    }
    path = environment.get("PATH")
    return Places(
        own=sys.executable,
        own_prefix=_prefix(Path(sys.prefix)),
        own_is_shared=_is_shared(),
        beside=beside,
        activated=activated,
        executables=found,
        on_path=shutil.which("python", path=path) or shutil.which("python3", path=path) or "",
    )


def _prefix(path: Path) -> str:
    return str(path.resolve())


def _python_in(prefix: str) -> str:
    names = ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe")
    return next((str(Path(prefix, name)) for name in names if Path(prefix, name).exists()), "")


def _is_shared() -> bool:
    """Say whether our environment holds anything but hangbisect, what it needs, and installers."""
    needed: set[str] = set()
    todo = ["hangbisect"]
    while todo:
        name = todo.pop()
        if name not in needed:
            needed.add(name)
            todo += _requirements(name)
    installed = {_plain(found.metadata["Name"]) for found in metadata.distributions()}
    return bool(installed - needed - _TOOLS)


def _requirements(name: str) -> list[str]:
    try:
        requirements = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    needed = (text for text in requirements if "extra ==" not in text)
    return [_plain(re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0]) for text in needed]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _find(name: str, environment: Mapping[str, str], cwd: str) -> str:
    where = str(Path(cwd, name)) if "/" in name else name
    found = shutil.which(where, path=environment.get("PATH"))
    if found is None:
        raise UsageError(
            f"there is no interpreter {name}",
            help="Name one that exists with --python, by its path.",
        )
    return found


def _ask_version(executable: str) -> str:
    command = [executable, "-E", "-s", "-S", "-c", _ASK]
    try:
        answer = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"{executable} does not say its version: is it a Python?") from None
    except OSError as error:
        raise UsageError(f"{executable} cannot be started: {error.strerror}") from error
    return answer.stdout.decode("ascii", "replace")
