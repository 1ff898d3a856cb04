"""Tolerant reading of /proc: a process may be dead, foreign or sick at any moment.

A file that is gone reads as empty. One that may not be read raises `PermissionError` from `read`
and is empty for `peek`: who decides on its absence uses `read`, who only asks, `peek`.
"""

import errno
import os
from dataclasses import dataclass

_DENIED = {errno.EACCES, errno.EPERM}


@dataclass(frozen=True)
class Proc:
    """A /proc file system."""

    root: str = "/proc"

    def read(self, path: str) -> str:
        """Read a file as text; "" if it or its process is gone.

        Raises:
            PermissionError: It may not be read.
        """
        try:
            with open(f"{self.root}/{path}", "rb") as file:
                return file.read().decode(errors="replace")
        except OSError as error:
            if error.errno in _DENIED:
                raise PermissionError(error.errno, error.strerror, path) from error
            return ""

    def peek(self, path: str) -> str:
        """Read a file as text; "" if it is gone or may not be read."""
        try:
            return self.read(path)
        except PermissionError:
            return ""

    def read_bytes(self, path: str) -> bytes:
        """Read a file as it is; b"" if it is gone or may not be read."""
        try:
            with open(f"{self.root}/{path}", "rb") as file:
                return file.read()
        except OSError:
            return b""

    def link(self, path: str) -> str:
        """Say where a link points to; "" if that cannot be known. Never follows it."""
        try:
            return os.readlink(f"{self.root}/{path}")
        except OSError:
            return ""

    def numbers(self, path: str = "") -> tuple[int, ...]:
        """List the entries of a folder that are numbers, ascending: pids, tids, descriptors.

        Raises:
            PermissionError: The folder may not be listed.
        """
        try:
            names = os.listdir(f"{self.root}/{path}")
        except OSError as error:
            if error.errno in _DENIED:
                raise PermissionError(error.errno, error.strerror, path) from error
            return ()
        return tuple(sorted(int(name) for name in names if name.isdigit()))

    def threads(self, pid: int) -> tuple[int, ...]:
        """List the threads of a process; none if it is gone or hidden."""
        try:
            return self.numbers(f"{pid}/task")
        except PermissionError:
            return ()

    def exists(self, path: str) -> bool:
        """Is there such a file?"""
        return os.path.exists(f"{self.root}/{path}")

    def path(self, path: str) -> str:
        """Name a file below this root."""
        return f"{self.root}/{path}"
