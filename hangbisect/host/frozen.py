"""Is a control group frozen? cgroup-v2.rst and freezer-subsystem.rst of the kernel's docs."""

from collections.abc import Iterator
from pathlib import Path

from hangbisect.host.proc import Proc

_GROUPS = Path("/sys/fs/cgroup")


def is_frozen(proc: Proc, pid: int, groups: Path = _GROUPS) -> bool:
    """Is the process's control group, or one above it, frozen?"""
    return any(_says_frozen(path) for path in _files(proc.peek(f"{pid}/cgroup"), groups))


def _files(text: str, groups: Path) -> Iterator[Path]:
    for line in text.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        below = path.lstrip("/")
        if number == "0":
            yield groups / below / "cgroup.events"
            yield groups / "unified" / below / "cgroup.events"
        elif "freezer" in controllers.split(","):
            yield groups / "freezer" / below / "freezer.state"


def _says_frozen(path: Path) -> bool:
    try:
        text = path.read_text()
    except OSError:  # not mounted here, or the root group, which cannot be frozen
        return False
    return "frozen 1" in text.splitlines() or text.strip() in ("FROZEN", "FREEZING")
