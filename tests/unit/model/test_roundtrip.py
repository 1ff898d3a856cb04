"""Every class of the model survives JSON."""

import inspect

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hangbisect import model
from hangbisect.model._struct import Data
from tests.unit.model_strategies import of

CLASSES = [kind for _, kind in inspect.getmembers(model, inspect.isclass) if issubclass(kind, Data)]


@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_class_comes_back_as_it_was(kind: type[Data], data: st.DataObject) -> None:
    value = data.draw(of(kind))

    assert msgspec.json.decode(msgspec.json.encode(value), type=kind) == value
