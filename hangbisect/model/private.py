"""Write files that only their owner may read: whole or not at all, never over another file."""

import os
import stat
import sys
import tempfile
from pathlib import Path

from hangbisect.errors import OutputError


def check_writable(path: Path) -> None:
    """Raise `OutputError` unless `write` could put a new file at this path now.

    Devices and pipes that are open (`/dev/null`, `/dev/fd/63`) are written to as they are.
    """
    if _waits_for_a_reader(path):
        raise OutputError(f"{path} is a FIFO or a socket: nobody may be reading it in the end")
    if _is_stream(path):
        return
    if path.is_dir():
        raise OutputError(f"{path} is a folder")
    if os.path.lexists(path):
        raise OutputError(f"{path} exists already")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def write(data: bytes, path: Path, *, replace: bool = False) -> None:
    """Write a file of mode 0600 whole, or raise `OutputError` and leave nothing behind."""
    try:
        if _is_stream(path):
            _write_stream(data, path)
        else:
            _write_file(data, path, replace)
    except FileExistsError as error:
        raise OutputError(f"{path} exists already") from error
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def _write_file(data: bytes, path: Path, replace: bool) -> None:
    fd, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(fd)
        if replace:
            os.replace(name, path)
        else:
            _move_to_new(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _move_to_new(name: str, path: Path) -> None:
    """Give the file its name; a link is the one step that fails if the name is taken."""
    try:
        os.link(name, path)
    except FileExistsError:
        raise
    except OSError:  # file systems without hard links: take the name first, then replace it
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.replace(name, path)
    else:
        os.unlink(name)


def _waits_for_a_reader(path: Path) -> bool:
    """Tell whether a name in the file system is a FIFO or a socket; a pipe of ours has no name."""
    try:
        mode = os.lstat(os.path.realpath(path)).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _write_stream(data: bytes, path: Path) -> None:
    flags = os.O_WRONLY
    if sys.platform != "win32":
        flags |= os.O_NONBLOCK | os.O_NOCTTY  # a FIFO that nobody reads fails instead of waiting
    fd = os.open(path, flags)
    if sys.platform != "win32":
        os.set_blocking(fd, True)
    with open(fd, "wb") as file:
        file.write(data)
