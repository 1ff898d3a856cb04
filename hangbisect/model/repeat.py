"""How often the machine states of a running thread came again."""

from hangbisect.model._struct import Data


class Repeat(Data, frozen=True, kw_only=True):
    """What snapshots of a running thread's registers, and of the memory behind them, showed."""

    pid: int
    tid: int
    samples: int
    """Snapshots taken."""
    states: int
    """Distinct states among them."""
    fresh: int
    """States that were seen only in the second half of the snapshots."""
