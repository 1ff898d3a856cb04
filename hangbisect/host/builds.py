"""How far a build has come: the files that it makes, counted in its folder.

ninja keeps the list of all outputs in build.ninja, so how many are missing is known; of a compiler
alone only the folder that it writes to is known. Files older than the builder were there before.
Manual of ninja: https://ninja-build.org/manual.html#ref_ninja_file
"""

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from os.path import basename, dirname, join, normpath

from hangbisect.host._protocol import Question
from hangbisect.host.clocks import read_clocks
from hangbisect.host.proc import Proc
from hangbisect.host.tree import tree_of
from hangbisect.model import Build, Facts

_OBJECT = re.compile(r".*\.(?:o|obj|cubin|ptx)")
_LIST = "build.ninja"
_MOST = 4 << 20
"""Bytes of the list that are read: a larger one is no build at a program's start."""
_OUTPUTS = re.compile(r"^build ((?:[^:$\n]|\$.)*):\s*(\S+)", re.MULTILINE | re.DOTALL)
_ESCAPED = re.compile(r"\$([ :$])")


def builds_something(argv: Sequence[str]) -> bool:
    """Tell whether a command is ninja, or writes an object file."""
    return _is_ninja(argv) or _object_of(argv) != ""


def builds(proc: Proc, question: Question) -> Iterator[Facts]:
    """Count what the builders and compilers of the tree have made."""
    seen: set[str] = set()
    clocks = read_clocks(question.began)
    now = clocks.monotonic - clocks.began
    for pid, stat in tree_of(proc, question).items():  # parents first: ninja before its compilers
        argv = tuple(proc.peek(f"{pid}/cmdline").split("\0")[:-1])
        here = proc.link(f"{pid}/cwd")
        folder = _folder(argv, here)
        if folder and folder not in seen:
            seen.add(folder)
            seconds = max(0.0, now - clocks.start(stat.began))
            yield Facts(builds=(_count(proc, pid, folder, seconds, is_listed=_is_ninja(argv)),))


def outputs_in(text: str) -> tuple[str, ...]:
    """Name the files that a build.ninja says are made; phony targets are none."""
    rules = ((names, rule) for names, rule in _OUTPUTS.findall(text) if rule != "phony")
    return tuple(_ESCAPED.sub(r"\1", name) for names, _ in rules for name in _split(names))


def counted(
    pid: int, folder: str, ages: Iterable[float | None], seconds: float, *, is_listed: bool
) -> Build:
    """Count files by their ages in seconds; None is one that is not there."""
    all_ages = tuple(ages)
    return Build(
        pid=pid,
        folder=folder,
        built=sum(age is not None and age <= seconds for age in all_ages),
        seconds=round(seconds, 3),
        missing=sum(age is None for age in all_ages) if is_listed else None,
        total=len(all_ages) if is_listed else None,
    )


def _split(names: str) -> list[str]:
    """Split at blanks that are not escaped; "|" comes before outputs that nobody asks for."""
    words = re.findall(r"(?:\$.|[^ $|])+", names.replace("$\n", " "))
    return [word for word in words if word.strip()]


def _is_ninja(argv: Sequence[str]) -> bool:
    return bool(argv) and basename(argv[0]) in ("ninja", "ninja-build")


def _object_of(argv: Sequence[str]) -> str:
    return next((b for a, b in pairwise(argv) if a == "-o" and _OBJECT.fullmatch(b)), "")


def _folder(argv: Sequence[str], here: str) -> str:
    """Name the folder of a build; "" if the command builds nothing."""
    if _is_ninja(argv):
        return normpath(join(here, next((b for a, b in pairwise(argv) if a == "-C"), "")))
    made = _object_of(argv)
    return normpath(dirname(join(here, made))) if made else ""


def _count(proc: Proc, pid: int, folder: str, seconds: float, *, is_listed: bool) -> Build:
    root = proc.path(f"{pid}/root")
    names = _listed(root, folder) if is_listed else ()
    files = names or tuple(filter(_OBJECT.fullmatch, _names(f"{root}{folder}")))
    ages = (_age(f"{root}{join(folder, name)}") for name in files)
    return counted(pid, folder, ages, seconds, is_listed=bool(names))


def _listed(root: str, folder: str) -> tuple[str, ...]:
    try:
        with open(f"{root}{folder}/{_LIST}", encoding="utf-8", errors="replace") as file:
            text = file.read(_MOST + 1)
    except OSError:  # another name (-f), or not ours to read
        return ()
    return outputs_in(text) if len(text) <= _MOST else ()


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _age(path: str) -> float | None:
    try:
        return time.time() - os.stat(path).st_mtime
    except OSError:  # not there yet
        return None
