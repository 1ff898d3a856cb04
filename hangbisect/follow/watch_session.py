"""The session file: who watches, until when, which processes, and where their probes write.

It is the gate that armed interpreters look at; docs/reference/watch-session.md describes it, and
probe/gate/_hangbisect_gate.py reads it in the target.
"""

from collections.abc import Iterator

from hangbisect.errors import UsageError
from hangbisect.model._struct import Data

ROOT = "/tmp"
"""Where the session's folder is made: the same for all that a user starts, and never remote."""
HEAD = "hangbisect-session 1"
LARGEST = 65536
"""Bytes of a session file; of a larger one the rest is not read."""


class WatchSession(Data, frozen=True, kw_only=True):
    """What a watch asks of the armed interpreters of its user."""

    watcher: int
    """The pid of the process that watches. When it has gone, so has the session."""
    began: str = "0"
    """When the watcher began, in ticks since the machine's start; "0" where that is not known."""
    until: int
    """Seconds since the epoch: from then on the session is not heeded."""
    folder: str
    """Where the flight records are written: an absolute path."""
    probe: str
    """The folder of the probe's package: an absolute path."""
    patterns: tuple[str, ...] = ()
    """Command lines that are wanted: a text that they hold, `*` for anything. None: all."""


def folder_name(user: int) -> str:
    """Name the folder below the root that holds the session of the user with this id."""
    return f"hangbisect-gate-{user}"


def render(session: WatchSession) -> bytes:
    """Return what the file says.

    Raises:
        UsageError: a text has a line break, or the whole is too large.
    """
    lines = [HEAD, *(f"{name} {value}" for name, value in _pairs(session)), ""]
    data = "\n".join(lines).encode("utf-8", "surrogateescape")
    if len(data) > LARGEST or data.count(b"\n") != len(lines) - 1:
        raise UsageError(
            "a path or a pattern of the watch has a line break, or is too long",
            help="Use other folders and patterns: the session file has one line for each.",
        )
    return data


def parse(data: bytes) -> WatchSession | None:
    """Read a session file; None if it is none, or damaged."""
    head, *lines = data.decode("utf-8", "surrogateescape").split("\n")
    pairs = [line.partition(" ")[::2] for line in lines]
    fields = dict(pairs)
    if head != HEAD:
        return None
    try:
        pid, _, began = fields["watcher"].partition(" ")
        return WatchSession(
            watcher=int(pid),
            began=began,
            until=int(fields["until"]),
            folder=fields["folder"],
            probe=fields["probe"],
            patterns=tuple(value for name, value in pairs if name == "for"),
        )
    except (KeyError, ValueError):
        return None


def _pairs(session: WatchSession) -> Iterator[tuple[str, str]]:
    yield "watcher", f"{session.watcher} {session.began}"
    yield "until", str(session.until)
    yield "folder", session.folder
    yield "probe", session.probe
    yield from (("for", pattern) for pattern in session.patterns)
