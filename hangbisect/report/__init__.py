"""One file a format, each with `render(diagnosis, style) -> str`; found by name."""

import sys
from importlib import import_module
from typing import Protocol, cast

from hangbisect.discover import modules_in, names_in
from hangbisect.errors import UsageError
from hangbisect.model import Diagnosis
from hangbisect.model.redact import redact
from hangbisect.report._headline import headline
from hangbisect.report._style import Style

__all__ = ["PLAIN", "Style", "format_of_suffix", "formats", "headline", "render", "suffix_of"]


PLAIN = Style()
"""For files and pipes."""


class Format(Protocol):
    """What a format's file offers; `SUFFIXES` of files it is the usual one for may be left out."""

    def render(self, diagnosis: Diagnosis, style: Style) -> str:
        """Return the report as text that ends with a line end."""


def formats() -> tuple[str, ...]:
    """Name the formats there are."""
    return names_in(sys.modules[__name__])


def format_of_suffix(suffix: str) -> str | None:
    """Name the format of files with a suffix ("md"): its name, or one of the format's own."""
    for module in modules_in(sys.modules[__name__]):
        name = module.__name__.rpartition(".")[2]
        if suffix in (name, *getattr(module, "SUFFIXES", ())):
            return name
    return None


def suffix_of(name: str) -> str:
    """Return the usual suffix of a format's files: "txt", "json", "md"."""
    module = import_module(f"{__name__}.{name}")
    suffixes: tuple[str, ...] = getattr(module, "SUFFIXES", (name,))
    return suffixes[0]


def render(diagnosis: Diagnosis, name: str, style: Style = PLAIN) -> str:
    """Return the report in a format, with secrets masked; raises `UsageError` if it is unknown."""
    known = formats()
    if name not in known:
        raise UsageError(f"there is no report format {name!r}", help=f"Formats: {', '.join(known)}")
    module = cast(Format, import_module(f"{__name__}.{name}"))
    return module.render(redact(diagnosis), style)
