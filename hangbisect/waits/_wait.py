"""What a wait, a root and a chain are: what kinds of wait hand to liveness and to causes."""

from collections.abc import Iterable
from typing import Literal, TypeVar

from hangbisect.model import End, Link, Thing, ThreadRef
from hangbisect.model._struct import Data

Root = Literal["timer", "person", "outside", "running"]
"""What can act without any thread of the tree: whoever it could wake is alive."""

Handler = Literal["ends", "runs", "none"]
"""What a signal's handler does to a wait. ends: it may end it. runs: the library goes back to
waiting, yet the handler has run here and may have woken others. none: it cannot run meanwhile."""

T = TypeVar("T")


class Wait(Data, frozen=True, kw_only=True):
    """What a thread waits for, and all that could end it.

    With neither wakers nor roots nobody could: the thread is dead.
    """

    thread: ThreadRef
    kind: str
    on: Thing
    says: str
    """In words, after the thread's name: "joins thread 130 (backend)"."""
    wakers: tuple[ThreadRef, ...] = ()
    """Every thread that could end it; tid 0 stands for any thread of that process."""
    holders: tuple[ThreadRef, ...] = ()
    """Those among the wakers that the facts point at; a chain follows them first."""
    roots: tuple[Root, ...] = ()
    """What else could end it, the most telling first."""
    beside: tuple[Root, ...] = ()
    """Those among the roots that are not the wait's point: its time limit, a signal handler."""
    deadline: float | None = None
    """When it ends by itself, seconds since the target started, if that could be read."""
    evidence: tuple[str, ...] = ()
    end: End | None = None
    """What a chain that stops here ends in, where that is not simply its first root."""
    handler: Handler = "ends"
    signals: tuple[str, ...] = ()
    """Those whose handler may run in the thread meanwhile: it may wake any thread that waits for
    this one, whether it ends this wait or not."""
    renewed: bool = False
    """Its time limit and its movement are no signs of life: it begins again for ever (the GIL)."""


class Chain(Data, frozen=True, kw_only=True):
    """The witness path: from a thread along who could end each wait, to the path's end."""

    links: tuple[Link, ...]
    end: End
    threads: tuple[ThreadRef, ...]
    """The threads passed, the first one first; each once."""
    back_to: ThreadRef | None = None
    """Of a cycle: the thread among them that the last one waits for."""


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """Drop repeats, keep the order."""
    return tuple(dict.fromkeys(items))
