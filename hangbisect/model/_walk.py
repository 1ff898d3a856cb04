"""Rebuild a document with each of its strings changed."""

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from hangbisect.model._struct import Data

T = TypeVar("T")
Change = Callable[[object], object | None]


def rebuild(value: T, change: Change) -> T:
    """Return the value with `change` put in for each part for which it returns something.

    `change` is asked about every part, outermost first; where it returns None the part is
    kept, and its own parts are asked about.
    """
    return cast(T, _rebuild(value, change))


def _rebuild(value: object, change: Change) -> object:
    changed = change(value)
    if changed is not None:
        return changed
    if isinstance(value, Data):
        fields = value.__struct_fields__
        return type(value)(**{name: _rebuild(getattr(value, name), change) for name in fields})
    if isinstance(value, tuple | list):
        return type(value)(_rebuild(part, change) for part in value)
    if isinstance(value, Mapping):
        return {_rebuild(key, change): _rebuild(part, change) for key, part in value.items()}
    return value
