"""Brings the probe up in a process; the one place that decides what this Python can have."""

import os
import sys

from . import floor, imports, lifecycle, public, statements, wire
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .ring import Ring

NEWEST_KNOWN = (3, 14)


def start(folder: str, entry_file: str, at_main: "Callable[[], None]") -> None:
    """Record this process in `folder`. `entry_file` is ours and never named as an importer."""
    if _is_recorded(folder):
        return
    recorder = Recorder(folder)
    reason = unknown()
    notes = [reason] if reason else []
    if not recorder.open(wire.FULL, notes):
        return
    _lay_floor(recorder, folder)
    where = statements.Where(recorder) if reason else statements.make(recorder)
    lifecycle.install(recorder, where, at_main)
    if reason:
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


def _lay_floor(recorder: Recorder, folder: str) -> None:
    own = floor.Floor(folder)

    def lay(ring: "Ring") -> None:
        why_not = own.enable(ring.pid, ring.began)
        if why_not:
            ring.event(wire.NOTE, why_not, "", 0, ring.pid)

    recorder.after_open = lay
    if recorder.ring is not None:
        lay(recorder.ring)


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
