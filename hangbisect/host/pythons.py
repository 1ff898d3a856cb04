"""Which processes of the tree run a Python interpreter, told by what they have mapped."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from hangbisect.host._protocol import Question

_LIBRARY = re.compile(r"/libpython\d[^/]*$")
_NAME = re.compile(r"(?i)python|pypy")
_RUNTIME_SECTION = ".PyRuntime"
"""Where CPython 3.7 and newer keep their runtime state (Include/internal/pycore_runtime.h)."""


def pythons(question: Question) -> Iterator[int]:
    """Yield the pids of the tree's Python processes: the root first, the sick last.

    A process with a thread in uninterruptible sleep comes last, since reading it may block.
    """
    pids = [pid for pid in tree(question) if pid not in question.leave_out]
    for pid in sorted(pids, key=lambda pid: (is_in(pid, "D"), pid != question.root)):
        if is_python(pid):
            yield pid


def tree(question: Question) -> tuple[int, ...]:
    """List the root, its descendants, the extra processes and theirs, each once."""
    found: dict[int, None] = {}
    for root in (question.root, *question.extra):
        try:
            found[root] = None
            found.update((child.pid, None) for child in psutil.Process(root).children(True))
        except psutil.Error:  # gone, or not ours to read: the rest of the tree still counts
            continue
    return tuple(found)


def is_in(pid: int, states: str) -> bool:
    """Tell whether any thread of the process is in one of the states (letters)."""
    return any(state in states for state in thread_states(pid).values())


def thread_states(pid: int) -> dict[int, str]:
    """Read the state letter of each thread; empty where there is no /proc or no such process."""
    states: dict[int, str] = {}
    for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
        try:
            text = stat.read_text(errors="replace")
        except OSError:  # the thread has ended meanwhile
            continue
        states[int(stat.parent.name)] = text[text.rindex(")") + 2]
    return states


def is_python(pid: int) -> bool:
    """Tell whether the process has a Python interpreter: as a library or in its executable."""
    if sys.platform != "linux":
        return _is_named_python(pid)
    try:
        lines = Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines()
    except OSError:  # not ours to read: its name is all there is
        return _is_named_python(pid)
    if any(_LIBRARY.search(line.removesuffix(" (deleted)")) for line in lines):
        return True
    return bool(lines) and _has_runtime(Path(f"/proc/{pid}/exe"))


def _is_named_python(pid: int) -> bool:
    try:
        return _NAME.search(psutil.Process(pid).name()) is not None
    except psutil.Error:  # gone
        return False


def _has_runtime(executable: Path) -> bool:
    try:
        with executable.open("rb") as file:
            return ELFFile(file).get_section_by_name(_RUNTIME_SECTION) is not None
    except (OSError, ELFError):  # not readable, or not an ELF file
        return False
