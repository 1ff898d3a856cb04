"""Find what a package offers: the one discovery, used by causes, waits, report and cli."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def modules_in(package: ModuleType) -> Iterator[ModuleType]:
    """Import each module of a package whose name has no leading underscore, in order of name."""
    for name in names_in(package):
        yield importlib.import_module(f"{package.__name__}.{name}")


def names_in(package: ModuleType) -> tuple[str, ...]:
    """Name these modules, in order, without importing any."""
    names = (module.name for module in pkgutil.iter_modules(package.__path__))
    return tuple(sorted(name for name in names if not name.startswith("_")))
