"""Arm an interpreter and disarm it: write its files whole, remove exactly those."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hangbisect.errors import OutputError, UsageError
from hangbisect.follow import hook
from hangbisect.model._struct import Data

_LARGEST = 1 << 20
_TEMPORARY = ".tmp"
"""No name that site takes for one of its files: a killed write leaves nothing that runs."""
_OWNER = "Do it as the user who owns that folder."
_RIGHTS = """\
Arm it as who owns the folder; or with --user, in your own packages folder, where the Python has
one; or make an environment of your own over it (PYTHON -m venv --system-site-packages FOLDER).
Without arming: `hangbisect run` for what you start, `hangbisect attach PID` for what runs."""


class Disarmed(Data, frozen=True, kw_only=True):
    """What became of the files in one folder."""

    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Left: somebody changed them, or they are not ours."""


def found_in(site: Path) -> dict[str, bytes]:
    """Read those of our files that a folder holds."""
    found = {}
    for name in hook.NAMES:
        try:
            with open(site / name, "rb") as file:
                found[name] = file.read(_LARGEST)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise OutputError(f"cannot read {site / name}: {error.strerror}", _RIGHTS) from error
    return found


def write(files: Mapping[str, bytes], site: Path) -> bool:
    """Put the files into the folder, each whole; False if they are there already.

    The order is that of the mapping: what names another file comes after it.

    Raises:
        UsageError: another user armed it in another way, or somebody changed the files.
        OutputError: the folder is missing or may not be written to.
    """
    present = found_in(site)
    _check(present, files, site)
    if present == dict(files):
        return False
    try:
        site.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            _write(data, site / name)
    except OSError as error:
        raise OutputError(f"{site} cannot be written to: {error.strerror}", _RIGHTS) from error
    return True


def remove(site: Path) -> Disarmed:
    """Remove what `write` put there, and what Python and a killed `write` made beside it.

    Raises:
        OutputError: it may not be removed.
    """
    present = found_in(site)
    changed = tuple(name for name, data in present.items() if not hook.is_as_written(data))
    going = [site / name for name in present if name not in changed]
    if hook.MODULE not in changed:
        going += sorted((site / "__pycache__").glob(f"{Path(hook.MODULE).stem}.*.pyc"))
    for name in hook.NAMES:
        going += sorted(site.glob(f".{name}.*{_TEMPORARY}"))
    for path in going:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"cannot remove {path}: {error.strerror}", _OWNER) from error
    if going:
        with contextlib.suppress(OSError):  # others have compiled files there, as a rule
            (site / "__pycache__").rmdir()
    return Disarmed(
        removed=tuple(map(str, going)), changed=tuple(str(site / name) for name in changed)
    )


def _check(present: Mapping[str, bytes], wanted: Mapping[str, bytes], site: Path) -> None:
    changed = [name for name, data in present.items() if not hook.is_as_written(data)]
    if changed:
        raise UsageError(
            f"somebody changed {site / changed[0]}",
            help="Look at it, remove it by hand, and arm again.",
        )
    if present and present != dict(wanted) and (owner := _other_owner(present, site)) is not None:
        raise UsageError(
            f"user {owner} has armed {site}, for other processes or until another time",
            help="Both of you can watch with it as it is; `hangbisect disarm` ends that for both.",
        )


def _other_owner(present: Mapping[str, bytes], site: Path) -> int | None:
    """Return the user whose files these are, if that is not us."""
    if sys.platform == "win32":
        return None
    owners = {(site / name).stat().st_uid for name in present} - {os.getuid()}
    return next(iter(owners), None)


def _write(data: bytes, path: Path) -> None:
    """Write a file whole, for all to read: who runs the interpreter may be somebody else."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_TEMPORARY, dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
