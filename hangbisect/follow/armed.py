"""The private list of what this user armed: a file each, checked against what is really there."""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hangbisect.errors import OutputError
from hangbisect.follow import arming, hook
from hangbisect.follow.interpreter import Interpreter, ask, compile_module
from hangbisect.model import private
from hangbisect.model._struct import Data

_NAME = re.compile(r"[0-9a-f]{16}\.json")


class Armed(Data, frozen=True, kw_only=True):
    """An interpreter that was armed."""

    python: str
    site: str
    scope: hook.Scope


class Listed(Data, frozen=True, kw_only=True):
    """An entry of the list, with how its files are now: a word of `hook.state_of`."""

    armed: Armed
    state: str


def arm(python: Interpreter, site: str, scope: hook.Scope, state: Path) -> tuple[str, ...]:
    """Put the files into `site`, a folder of that interpreter, and return what was written.

    `state` is the folder of the list. The list is written first: what a killed `arm` left behind
    is known. It returns nothing if the interpreter is armed just so already.

    Raises:
        UsageError, OutputError: see `arming.write`.
    """
    files = hook.files(scope, python.version, hook.SOURCE.read_text("ascii"))
    entry, folder = _entry(site, state), Path(site)
    was_listed = entry.exists()
    armed = Armed(python=python.executable, site=site, scope=scope)
    before = entry.read_bytes() if was_listed else b""
    _list(armed, entry)
    try:
        is_new = arming.write(files, folder)
    except Exception:
        _unlist(entry, before)
        raise
    if not is_new:
        return ()
    compile_module(python.executable, folder / hook.MODULE)
    return tuple(str(folder / name) for name in files)


def disarm(python: str, state: Path) -> tuple[arming.Disarmed, ...]:
    """Remove what arm wrote for an interpreter, listed or not; it need not run any more.

    Raises:
        UsageError: it is not listed, and is no Python that could be asked.
        OutputError: the files may not be removed.
    """
    sites = {listed.armed.site for listed in listed_in(state) if listed.armed.python == python}
    if not sites:
        asked = ask(python)
        sites = {site for site in (asked.site, asked.user_site) if site}
    done = []
    for site in sorted(sites):
        removed = arming.remove(Path(site))
        if not removed.changed:
            _unlist(_entry(site, state), b"")
        done.append(removed)
    return tuple(done)


def listed_in(state: Path) -> Iterator[Listed]:
    """Yield what is in the list, by folder, each looked at anew."""
    try:
        names = sorted(os.listdir(_folder(state)))
    except OSError:
        return
    for name in filter(_NAME.fullmatch, names):
        try:
            armed = msgspec.json.decode((_folder(state) / name).read_bytes(), type=Armed)
        except (OSError, msgspec.MsgspecError):
            continue  # removed meanwhile, or not one of ours
        yield Listed(armed=armed, state=_state(Path(armed.site)))


def _state(site: Path) -> str:
    try:
        return hook.state_of(arming.found_in(site))
    except OutputError:
        return "unreadable"


def _folder(state: Path) -> Path:
    return state / "armed"


def _entry(site: str, state: Path) -> Path:
    name = hashlib.sha256(os.fsencode(site)).hexdigest()[:16]
    return _folder(state) / f"{name}.json"


def _list(armed: Armed, entry: Path) -> None:
    try:
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"the list of armed interpreters cannot be kept in {entry.parent}: {error.strerror}",
            help="Set XDG_STATE_HOME to a folder of yours that can be written to.",
        ) from error
    private.write(msgspec.json.encode(armed), entry, replace=True)


def _unlist(entry: Path, before: bytes) -> None:
    """Put the entry back as it was."""
    if before:
        private.write(before, entry, replace=True)
    else:
        entry.unlink(missing_ok=True)
