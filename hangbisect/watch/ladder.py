"""The ladder of looks, as data: what each needs, whether it stops the target, what it gives."""

from typing import Literal

from hangbisect.model._struct import Data

Name = Literal[
    "sample",
    "facts",
    "paths",
    "glimpse",
    "stacks",
    "sources",
    "builds",
    "beats",
    "states",
    "native",
    "script",
    "core",
]


class Look(Data, frozen=True, kw_only=True):
    """One way of looking at a process."""

    name: Name
    needs: Literal["nothing", "ptrace"]
    """The right it needs: to read /proc of one's own processes, or that of a debugger."""
    stops: bool
    """It stops the target for a moment, and may end a call with EINTR."""
    deadline: float
    """Seconds after which the helper that looks is given up."""
    gives: str


LOOKS: tuple[Look, ...] = (
    Look(name="sample", needs="nothing", stops=False, deadline=2.0, gives="counters: what moved"),
    Look(
        name="facts",
        needs="nothing",
        stops=False,
        deadline=4.0,
        gives="calls, descriptors, sockets, locks",
    ),
    Look(
        name="glimpse",
        needs="ptrace",
        stops=False,
        deadline=5.0,
        gives="Python stacks without locals, for the phases of a start",
    ),
    Look(
        name="stacks",
        needs="ptrace",
        stops=False,
        deadline=5.0,
        gives="Python stacks with the identity of locks",
    ),
    Look(
        name="paths",
        needs="nothing",
        stops=False,
        deadline=2.0,
        gives="age, holders and kind of a path",
    ),
    Look(
        name="builds",
        needs="nothing",
        stops=False,
        deadline=2.0,
        gives="how many files of a build are there",
    ),
    Look(
        name="sources",
        needs="nothing",
        stops=False,
        deadline=2.0,
        gives="text of the lines that are blocked",
    ),
    Look(
        name="beats", needs="ptrace", stops=True, deadline=8.0, gives="what a polling thread polls"
    ),
    Look(
        name="states",
        needs="ptrace",
        stops=True,
        deadline=8.0,
        gives="whether a running thread comes to new machine states",
    ),
    Look(name="native", needs="ptrace", stops=True, deadline=8.0, gives="native stacks"),
    Look(
        name="script",
        needs="nothing",
        stops=False,
        deadline=2.0,
        gives="at which statement the entry script was left",
    ),
    Look(
        name="core", needs="nothing", stops=False, deadline=8.0, gives="the stacks in a core file"
    ),
)
BY_NAME = {look.name: look for look in LOOKS}
