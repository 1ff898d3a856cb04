"""Which processes below a command are programs of their own, and which only serve one. Pure.

A *unit* is a Python program that somebody started, with what it made for its own work: forks,
workers of multiprocessing, and all that is no Python. Each unit is judged by itself.
"""

from collections.abc import Mapping

from hangbisect.model._struct import Data
from hangbisect.watch.roles import servant


class Being(Data, frozen=True, kw_only=True):
    """A process as far as it matters for whose it is."""

    pid: int
    began: int
    """Start time, in the kernel's clock ticks since boot."""
    parent: int
    python: bool = False
    argv: tuple[str, ...] = ()
    arguments_at: int = 0
    """Where its command line lies in its memory: a fork has it where its parent has. 0: unknown."""
    rank: str = ""


Beings = Mapping[int, Being]


def unit_of(pid: int, beings: Beings) -> int:
    """Return the Python program that a process belongs to; 0 if it belongs to none."""
    being = beings.get(pid)
    passed: set[int] = set()
    while being is not None and being.pid not in passed:
        passed.add(being.pid)
        above = beings.get(being.parent)
        if being.python and not _serves(being, above):
            return being.pid
        being = above
    return 0


def units(beings: Beings) -> tuple[int, ...]:
    """Name the units, the deepest first."""
    found = [pid for pid in beings if unit_of(pid, beings) == pid]
    return tuple(sorted(found, key=lambda pid: -len(ancestors(pid, beings))))


def ancestors(pid: int, beings: Beings) -> tuple[int, ...]:
    """Name the processes above one, its parent first."""
    found: list[int] = []
    being = beings.get(pid)
    while being is not None and being.parent in beings and being.parent not in found:
        found.append(being.parent)
        being = beings[being.parent]
    return tuple(found)


def tree(pid: int, beings: Beings) -> frozenset[int]:
    """Name a process and all below it."""
    return frozenset({pid, *(other for other in beings if pid in ancestors(other, beings))})


def nested(pid: int, beings: Beings) -> tuple[int, ...]:
    """Name the units below a unit."""
    return tuple(u for u in units(beings) if u != pid and pid in ancestors(u, beings))


def crew(pid: int, beings: Beings) -> int:
    """Return who started a rank and its fellows: the Python program above it, or its parent."""
    above = ancestors(pid, beings)
    being = beings.get(pid)
    return next((p for p in above if beings[p].python), being.parent if being else 0)


def _serves(being: Being, above: Being | None) -> bool:
    """Tell whether a Python process was made by the Python process above it for its own work."""
    if above is None or not above.python:
        return False
    forked = being.arguments_at == above.arguments_at if being.arguments_at else False
    return forked or bool(servant(being.argv))
