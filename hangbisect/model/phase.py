"""A phase of a start: arguments parsed, model loading, training begins ..."""

from typing import Literal

from hangbisect.model._struct import Data

PhaseSource = Literal["record", "monitoring", "stack"]
"""How it is known. record, monitoring: written by the process itself, at that moment. stack: seen
in a stack from outside, so it began no later, and ended no later, than the times say."""


class Phase(Data, frozen=True, kw_only=True):
    """A phase of a process's start. Times are seconds since the target started."""

    pid: int
    tid: int = 0
    name: str
    began: float | None = None
    """None: it is a point that is reached, and takes no time."""
    ended: float | None = None
    """None: it is in progress."""
    failed: bool = False
    """It was left by an exception: it has ended, but it is not completed."""
    source: PhaseSource = "monitoring"
    file: str = ""
    line: int = 0
    """Where the function that tells the phase is defined; of a stack, where it stands."""
