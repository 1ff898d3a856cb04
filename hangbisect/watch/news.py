"""Tell what a probe had not written before from what a loop writes again and again. Pure.

A program that tries the same thing for ever at its top level (a connection, an import that fails)
passes the same statements each time round: that alone is no progress. What a round does, if it does
something, is seen in the counters.
"""

from hangbisect.model import Event

ROUNDS = frozenset(
    {"import", "imported", "import-failed", "create", "created", "create-failed", "exec"}
    | {"statement", "call"}
)
"""Kinds of event that a loop repeats. All others happen once, or are steps of the training."""
MOST = 1 << 17
"""Events that are remembered; after that it begins anew."""


class News:
    """Remember what was written."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._known: set[tuple[int, int, str, str, str, int]] = set()

    def is_news(self, event: Event) -> bool:
        """Tell whether this was not written before, by this thread and at this place."""
        if event.what not in ROUNDS:
            return True
        key = (event.pid, event.tid, event.what, event.name, event.file, event.line)
        if key in self._known:
            return False
        if len(self._known) >= MOST:
            self._known.clear()
        self._known.add(key)
        return True
