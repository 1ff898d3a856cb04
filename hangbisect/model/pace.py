"""How fast a tree goes on: rates of its processes, and how far a build has come.

Times are seconds, sizes are bytes.
"""

from hangbisect.model._struct import Data


class Pace(Data, frozen=True, kw_only=True):
    """What one process did a second, between two samples. Only processes that did something."""

    pid: int
    seconds: float
    """The time between the two samples."""
    cpu: float = 0.0
    """1.0 being one CPU."""
    read: float = 0.0
    """Bytes a second through read-like calls."""
    stored: float = 0.0
    """Bytes a second that had to come from storage, for reads and for pages."""
    written: float = 0.0
    received: float = 0.0
    """Bytes a second that arrived on its TCP sockets from outside the tree."""
    faults: float = 0.0
    """Pages a second that were brought in or made."""
    major_faults: float = 0.0
    """Pages a second that had to come from storage."""


class Motion(Data, frozen=True, kw_only=True):
    """One kind of movement: since when it was seen at each look, without a longer pause."""

    what: str
    """In the words of `Snapshot.moving`."""
    since: float
    """Seconds since the target started, and not before the first look that counted."""


class Build(Data, frozen=True, kw_only=True):
    """A folder in which compilers write what they build."""

    pid: int
    """The builder (ninja), or the compiler where none is seen."""
    folder: str
    built: int
    """Files that were written there since the builder began."""
    seconds: float
    """How long the builder has run."""
    missing: int | None = None
    """Files of the build that are not there yet. None: no list of them was found."""
    total: int | None = None
    """All files of the build. None: no list of them was found."""
