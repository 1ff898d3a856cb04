"""How a report may look: facts about the place it is shown at, decided by the caller."""

from hangbisect.model._struct import Data


class Style(Data, frozen=True, kw_only=True):
    """Width in columns, whether colours may be used, and whether only ASCII may."""

    width: int = 80
    colour: bool = False
    ascii: bool = False
