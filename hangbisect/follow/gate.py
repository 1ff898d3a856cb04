"""Opens and closes the gate: the one session file that this user's armed interpreters look at."""

import contextlib
import os
import stat
import sys
import tempfile
import time
from pathlib import Path

from hangbisect.errors import OutputError, UsageError
from hangbisect.follow.watch_session import (
    LARGEST,
    ROOT,
    WatchSession,
    folder_name,
    parse,
    render,
)

_FILE = "session"
_TRIES = 5


def open_session(session: WatchSession, root: Path = Path(ROOT)) -> None:
    """Write the session file, so that armed interpreters record what they start from now on.

    A file that a watch left which has ended is replaced. To prolong a session: `renew`.

    Raises:
        UsageError: another watch of this user goes on.
        OutputError: the file cannot be written, or its folder is not this user's alone.
    """
    data = render(session)
    try:
        for _ in range(_TRIES):
            folder = _own_folder(root)
            with contextlib.suppress(FileNotFoundError):  # a watch that closes took the folder
                if _put_new(data, folder):
                    return
                _make_way(folder)
    except OSError as error:
        raise OutputError(f"cannot open a watch in {root}: {error.strerror}") from error
    raise UsageError("another watch is being opened at this moment", help="Try again.")


def renew(session: WatchSession, root: Path = Path(ROOT)) -> bool:
    """Write our session anew with another end; False if the file is not ours any more."""
    if not _is_same_watcher(current(root), session):
        return False
    folder = _folder(root)
    os.replace(_temporary(render(session), folder), folder / _FILE)
    return True


def close_session(session: WatchSession, root: Path = Path(ROOT)) -> None:
    """Remove the session file, if it is that of this watcher, and its folder with it."""
    folder = _folder(root)
    if _is_same_watcher(current(root), session):
        (folder / _FILE).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # gone, or another watch has opened meanwhile
        folder.rmdir()


def current(root: Path = Path(ROOT)) -> WatchSession | None:
    """Return what the session file says, whether or not it is heeded still."""
    return _read(_folder(root) / _FILE)


def is_open(session: WatchSession, now: float) -> bool:
    """Tell whether a session is heeded at this time (seconds since the epoch)."""
    return now < session.until and session.began in ("0", began(session.watcher))


def began(pid: int) -> str:
    """Return when a process began, as a session file says it; "0" where it cannot be known."""
    if not sys.platform.startswith("linux"):
        return "0"
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[19]


def _folder(root: Path) -> Path:
    if sys.platform == "win32":
        raise UsageError("this is not done on Windows yet", help="Use `hangbisect run` there.")
    return root / folder_name(os.getuid())


def _own_folder(root: Path) -> Path:
    """Make the folder, or see that it is what the armed interpreters will accept."""
    folder = _folder(root)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    is_private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022
    if sys.platform != "win32" and not (is_private and status.st_uid == os.getuid()):
        raise OutputError(
            f"{folder} is not a folder that only you may write to",
            help="Remove it, or have who owns it remove it: armed interpreters do not heed it.",
        )
    return folder


def _put_new(data: bytes, folder: Path) -> bool:
    """Write the file whole; False if there is one."""
    temporary = _temporary(data, folder)
    try:
        os.link(temporary, folder / _FILE)
    except FileExistsError:
        return False
    finally:
        os.unlink(temporary)
    return True


def _make_way(folder: Path) -> None:
    """Take away what an ended watch left. Of two that try, one gets it; a live one is put back."""
    found = _read(folder / _FILE)
    if found is not None and is_open(found, time.time()):
        raise UsageError(
            f"process {found.watcher} is watching already, with its records in {found.folder}",
            help="End that watch first: there is one at a time for each user.",
        )
    aside = folder / f".stale-{os.getpid()}"
    try:
        os.rename(folder / _FILE, aside)
    except FileNotFoundError:
        return
    taken = _read(aside)
    if taken is not None and is_open(taken, time.time()):
        with contextlib.suppress(FileExistsError):
            os.link(aside, folder / _FILE)
    aside.unlink()


def _temporary(data: bytes, folder: Path) -> str:
    descriptor, name = tempfile.mkstemp(prefix=".new-", dir=folder)
    with open(descriptor, "wb") as file:
        file.write(data)
    return name


def _read(path: Path) -> WatchSession | None:
    try:
        with open(path, "rb") as file:
            return parse(file.read(LARGEST))
    except OSError:
        return None


def _is_same_watcher(one: WatchSession | None, other: WatchSession) -> bool:
    return one is not None and (one.watcher, one.began) == (other.watcher, other.began)
