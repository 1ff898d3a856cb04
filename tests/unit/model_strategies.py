"""Hypothesis strategies for the model: any value that its types allow and JSON can carry."""

import types
import typing
from functools import cache

from hypothesis import strategies as st

from hangbisect.model import Step
from hangbisect.model._struct import Data

INTEGERS = st.integers(min_value=-(2**63), max_value=2**64 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@cache
def of(kind: type[Data], *, with_chain: bool = True) -> st.SearchStrategy[typing.Any]:
    """Return values of a class of the model, all fields drawn."""
    hints = typing.get_type_hints(kind)
    recursive = ("chain",) if kind is Step else ()
    fields = {name: for_hint(hint) for name, hint in hints.items() if name not in recursive}
    if kind is Step:
        chain = st.lists(of(Step, with_chain=False), max_size=2) if with_chain else st.just([])
        fields["chain"] = chain.map(tuple)
    return st.builds(kind, **fields)


def for_hint(hint: typing.Any) -> st.SearchStrategy[typing.Any]:
    """Return values of a field's type."""
    parts = typing.get_args(hint)
    match typing.get_origin(hint):
        case typing.Literal:
            return st.sampled_from(parts)
        case typing.Union | types.UnionType:
            return st.one_of([for_hint(part) for part in parts])
        case origin if origin is tuple and parts[-1] is Ellipsis:
            return st.lists(for_hint(parts[0]), max_size=2).map(tuple)
        case origin if origin is tuple:
            return st.tuples(*map(for_hint, parts))
        case origin if origin is list:
            return st.lists(for_hint(parts[0]), max_size=2)
        case origin if origin is dict:
            return st.dictionaries(*map(for_hint, parts), max_size=2)
    if isinstance(hint, type) and issubclass(hint, Data):
        return of(hint)
    plain = {int: INTEGERS, float: FLOATS, str: st.text(max_size=12), bool: st.booleans()}
    return plain.get(hint, st.none())
