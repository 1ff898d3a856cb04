"""What a collection of facts is about, and what is wanted of it."""

from hangbisect.host import Question
from hangbisect.model import Gap, Motion, Sample, System
from hangbisect.model._struct import Data
from hangbisect.model.snapshot import Occasion


class Scene(Data, frozen=True, kw_only=True):
    """What does not change while a target is watched."""

    question: Question
    system: System
    tool: str
    wall: float
    """Unix time that counts as zero."""
    cwd: str = ""
    argv: tuple[str, ...] = ()
    """The command line, for a target that has gone before it was looked at."""
    interpreter: str = ""
    interpreter_reason: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    launchers: tuple[int, ...] = ()
    watched_since: float = 0.0
    gaps: tuple[Gap, ...] = ()

    @property
    def note(self) -> str:
        """Say which interpreter it is, and why that one."""
        return f"{self.interpreter}: {self.interpreter_reason}"


class Wanted(Data, frozen=True, kw_only=True):
    """What one collection is for, and how far it may go."""

    occasion: Occasion
    now: float
    """Seconds on CLOCK_MONOTONIC."""
    quiet_since: float | None = None
    """The last progress, None if there is some."""
    thorough: bool = False
    """Allow the looks that stop the target for a moment."""
    spin: bool = False
    """Ask whether a running thread goes round in a circle, which stops it often."""
    calm: Sample | None = None
    """The first sample since the last progress: who has been in one call ever since?"""
    moving: tuple[str, ...] = ()
    """What is known to move, beyond what these looks see moving."""
    motions: tuple[Motion, ...] = ()
    """Since when that is so."""
    rates_from: Sample | None = None
    """The sample that rates are measured from; None where none are asked for."""
