"""Control groups of our own, of either version: to throttle a program, or to leave it no memory."""

import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


def why_no_groups(controller: str) -> str:
    """Say why groups with a controller cannot be made here; "" if they can."""
    if os.name != "posix" or os.geteuid() != 0:
        return "needs root, to make a control group"
    parent = _parent(controller)
    if parent is None:
        return f"no control groups with {controller} here"
    try:
        folder = parent / f"probe-{uuid.uuid4().hex}"
        folder.mkdir()
        folder.rmdir()
    except OSError as error:
        return f"{parent} cannot be written: {error.strerror}"
    return ""


@contextmanager
def group(controller: str, first: Mapping[str, str], second: Mapping[str, str]) -> Iterator[Path]:
    """Make a group; `first` are its settings in version 1, `second` those in version 2."""
    parent = _parent(controller)
    assert parent is not None
    folder = parent / f"slow-{uuid.uuid4().hex}"
    folder.mkdir()
    try:
        settings = first if parent == ROOT / controller else second
        for name, value in settings.items():
            (folder / name).write_text(value)
        yield folder
    finally:
        for pid in (folder / "cgroup.procs").read_text().split():
            (parent / "cgroup.procs").write_text(pid)
        folder.rmdir()


def join(folder: Path, pid: int) -> None:
    """Put a process into a group."""
    (folder / "cgroup.procs").write_text(str(pid))


def _parent(controller: str) -> Path | None:
    """Return where groups of a controller are made: version 1 first, since it owns it then."""
    if (ROOT / controller / "cgroup.procs").exists():
        return ROOT / controller
    control = ROOT / "cgroup.subtree_control"
    if control.exists() and controller in control.read_text().split():
        return ROOT
    return None
