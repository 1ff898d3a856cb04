"""The base of all data that rooms hand to each other: frozen and comparable."""

import msgspec


class Data(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frozen record. Fields that hold their default are left out of a saved file.

    Each class says `kw_only=True` itself: msgspec does not inherit it.
    """
