"""Look for the Pythons of this machine that the target might want: the facts behind the choice."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from hangbisect.cli._interpreter import Choice, Places, check_version, choose
from hangbisect.cli._own import is_shared
from hangbisect.errors import UsageError

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
        own_is_shared=not found and is_shared(),
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
