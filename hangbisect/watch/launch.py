"""How the target is launched: what is run, in which environment, and where its probe writes."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from hangbisect.errors import OutputError
from hangbisect.host.mounts import Mount, mount_of, parse_mounts
from hangbisect.model._struct import Data

FOLDER_VARIABLE = "HANGBISECT_FOLDER"
"""Tells the probe where to write its flight record."""
STATEMENTS_VARIABLE = "HANGBISECT_STATEMENTS"
"""Set to "exact", it asks the probe for each statement of the entry script (3.8 to 3.11)."""
Statements = Literal["seen", "exact"]
"""Which statements of the entry script are recorded: those seen in passing, or each."""
_FALLBACKS = ("/tmp", "/var/tmp")


class Launch(Data, frozen=True, kw_only=True):
    """What to start. The rest is as we got it: descriptors, signals, limits, group, terminal."""

    argv: tuple[str, ...]
    environment: dict[str, str]
    """The whole environment, as `probe_environment` gives it."""
    cwd: str = ""
    """Where it runs; "" where we are."""
    folder: str = ""
    """Where its flight record is written; "" without a probe."""
    program: str = ""
    """What is executed if that is not `argv[0]`; searched for on PATH if it has no slash."""


def probe_environment(
    environment: Mapping[str, str],
    folder: Path,
    inject_folder: Path,
    statements: Statements = "seen",
) -> dict[str, str]:
    """Add what lets the probe in: our folder first on PYTHONPATH, where to write, and how much.

    An empty entry of PYTHONPATH means the working directory, so no colon is put where nothing
    follows. What the user's own value says is kept as it is.
    """
    before = environment.get("PYTHONPATH", "")
    path = f"{inject_folder}{os.pathsep}{before}" if before else str(inject_folder)
    asked = {"PYTHONPATH": path, FOLDER_VARIABLE: str(folder)}
    if statements == "exact":
        asked[STATEMENTS_VARIABLE] = statements
    kept = {name: value for name, value in environment.items() if name != STATEMENTS_VARIABLE}
    return {**kept, **asked}


def record_folder(environment: Mapping[str, str]) -> Path:
    """Make a private folder for flight records, on a file system of this machine.

    The files are mapped into memory: a network mount may block or vanish under them, /dev/shm is
    small in containers, and a home folder is often on the network or limited by a quota.

    Raises:
        OutputError: There is no such place.
    """
    with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
        mounts = parse_mounts(file.read())
    for place in places(environment, mounts):
        try:
            return Path(tempfile.mkdtemp(prefix="hangbisect-", dir=place))
        except OSError:  # missing, full or not ours to write to: the next one
            continue
    raise OutputError(
        "there is no local folder for the flight record",
        "Set TMPDIR to a folder on a disk of this machine that you may write to.",
    )


def places(environment: Mapping[str, str], mounts: Mapping[int, Mount]) -> Iterator[str]:
    """Yield the folders that may hold flight records, best first, without touching any."""
    wanted = [environment.get("XDG_RUNTIME_DIR", ""), environment.get("TMPDIR", "")]
    home = environment.get("HOME", "")
    for place in (*wanted, *_FALLBACKS):
        if os.path.isabs(place) and not _is_unfit(os.path.normpath(place), home, mounts):
            yield place


def inherited() -> tuple[tuple[int, int], ...]:
    """Return (device, inode) of what the target will get open from us at its start."""
    if sys.platform != "linux":
        raise NotImplementedError
    found: dict[tuple[int, int], None] = {}
    for fd in (int(name) for name in os.listdir("/proc/self/fd")):
        try:
            if os.get_inheritable(fd):
                status = os.fstat(fd)
                found[status.st_dev, status.st_ino] = None
        except OSError:  # the one that listed the folder
            continue
    return tuple(found)


def _is_unfit(place: str, home: str, mounts: Mapping[int, Mount]) -> bool:
    mount = mount_of(place, mounts)
    return (
        _is_below(place, "/dev/shm")
        or (home not in {"", "/"} and _is_below(place, os.path.normpath(home)))
        or (mount is not None and mount.is_remote)
    )


def _is_below(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip("/") + "/")
