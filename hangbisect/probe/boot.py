"""Brings the probe up in a process; the one place that decides what this Python can have."""

import os
import sys

from . import disguise, floor, imports, lifecycle, statements, wire
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ring import Ring

NEWEST_KNOWN = (3, 14)


def start(folder: str, entry_file: str) -> None:
    """Record this process in `folder`. `entry_file` is ours and never named as an importer."""
    if _is_recorded(folder):
        return
    reason = unknown()
    _load(public_only=bool(reason))
    recorder = Recorder(folder)
    where = _where(recorder, public_only=bool(reason))
    own = floor.Floor(folder)

    def opened(ring: "Ring") -> None:
        where.again(ring)
        own.lay(ring)

    recorder.after_open = opened
    if not recorder.open(wire.FULL, [reason] if reason else where.notes):
        return
    lifecycle.install(recorder, where, public_only=bool(reason))
    if reason:
        from . import public

        public.install(recorder)
    else:
        imports.install(recorder, where, entry_file)


def unknown() -> str:
    """Say why this Python gets public hooks only; "" if its insides are known."""
    if sys.implementation.name != "cpython":
        return "%s: only the begin of imports is recorded" % sys.implementation.name
    if sys.version_info[:2] > NEWEST_KNOWN:
        return (
            "Python %d.%d is newer than the probe: only the begin of imports is recorded"
            % (sys.version_info[:2])
        )
    gil = getattr(sys, "_is_gil_enabled", None)
    if gil is not None and not gil():
        return "free-threaded Python: only the begin of imports is recorded"
    return ""


def _load(*, public_only: bool) -> None:
    """Load what this Python needs, and let no tracer take it for the program's."""
    if public_only:
        from . import public  # noqa: F401
    elif hasattr(sys, "monitoring"):
        from . import lines  # noqa: F401
    elif _wants_exact():
        from . import exact  # noqa: F401
    disguise.put_on(__package__)


def _where(recorder: Recorder, *, public_only: bool) -> statements.Where:
    if hasattr(sys, "monitoring") and not public_only:
        from . import lines

        return lines.Lines(recorder)
    if _wants_exact() and not public_only:
        from . import exact

        return exact.Exact(recorder)
    return statements.Where(recorder)


def _wants_exact() -> bool:
    """Tell whether the run was asked for with `--statements exact`."""
    return os.environ.get("HANGBISECT_STATEMENTS") == "exact"


def _is_recorded(folder: str) -> bool:
    """Tell whether another interpreter of this very process has a record already.

    A record of this pid alone does not say so: exec keeps the pid, and pids come again.
    """
    prefix = "%d-" % os.getpid()
    names = [name for name in os.listdir(folder) if name.startswith(prefix)]
    if not names:
        return False
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            mapped = maps.read()
    except OSError:
        return False
    return any(os.path.join(folder, name) in mapped for name in names if wire.size_of(name))
