"""What watching a target came to."""

from typing import Literal

import msgspec

from hangbisect.model import Phase, Snapshot
from hangbisect.watch.ending import Ended

OnHang = Literal["proved", "end", "keep"]
"""What is ended: what is proved to hang, all that is called hung, or nothing."""


def ends(on_hang: OnHang, *, proved: bool, training: bool) -> bool:
    """Tell whether the tree is ended at a verdict of "hung".

    Once training has begun it is reported and kept, unless all that hangs was to be ended.
    """
    return on_hang == "end" or (on_hang == "proved" and proved and not training)


class Watched(msgspec.Struct):
    """What watching came to."""

    snapshot: Snapshot | None = None
    """The facts of the last verdict, None if nothing was to be said."""
    phases: tuple[Phase, ...] = ()
    """How far the start came."""
    wait_status: int | None = None
    """The target's wait status, None if it goes on without us."""
    ended: Ended | None = None
    """Set when we ended the tree."""
    asked: bool = False
    """It ended right after somebody asked it to, by a signal through us or from the terminal."""
    interrupted: bool = False
    """A person pressed Ctrl-C, and we had to end the target."""
