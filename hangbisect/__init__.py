"""Find what hangs a Python program at its start, name who holds it, and say how that is known."""

from hangbisect._version import __version__

TYPE_CHECKING = False  # nothing else is imported before `_entry` has cleared the way
if TYPE_CHECKING:
    from typing import Any

    from hangbisect.errors import HangbisectError
    from hangbisect.model import Diagnosis, Snapshot
    from hangbisect.session import (
        Outcome,
        RunRequest,
        attach,
        diagnose,
        explain,
        load,
        render,
        run,
        save,
    )

__all__ = [
    "Diagnosis",
    "HangbisectError",
    "Outcome",
    "RunRequest",
    "Snapshot",
    "__version__",
    "attach",
    "diagnose",
    "explain",
    "load",
    "render",
    "run",
    "save",
]

_HOMES = {
    "Diagnosis": "hangbisect.model",
    "HangbisectError": "hangbisect.errors",
    "Snapshot": "hangbisect.model",
}


def __getattr__(name: str) -> "Any":
    """Import a public name when it is first asked for: the command starts sooner."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, "hangbisect.session")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
