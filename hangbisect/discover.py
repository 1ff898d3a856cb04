"""Find what a package offers: the one discovery, used by causes, waits, report and cli."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def modules_in(package: ModuleType) -> Iterator[ModuleType]:
    """Import each module of a package whose name has no leading underscore, in order of name."""
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
        if not found.name.startswith("_"):
            yield importlib.import_module(f"{package.__name__}.{found.name}")
