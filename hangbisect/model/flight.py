"""The flight record as read: what the probe of one process wrote down."""

from typing import Literal

from hangbisect.model._struct import Data

SpanKind = Literal["import", "exec", "create", "statement", "call", "exit"]
TextTo = Literal["", "stream", "closed", "null", "deleted", "hook"]
"""Where Python writes an uncaught exception: a stream that leads somewhere, one that is closed or
missing, /dev/null, a file that was deleted, or a hook of the program's own. "": not known."""
EntryEnd = Literal["", "returned", "left"]


class Span(Data, frozen=True, kw_only=True):
    """An import, an extension's creation, a statement or a call, from its begin to its end.

    Times are seconds on CLOCK_MONOTONIC of the machine that ran the target.
    """

    kind: SpanKind
    name: str
    """Module name; for statements and calls "" (the reader of the source adds the text)."""
    file: str = ""
    """Where it was asked for: the importing file, or the file of the statement."""
    line: int = 0
    tid: int
    began: float
    ended: float | None = None
    failed: bool = False
    """The import raised."""


class Event(Data, frozen=True, kw_only=True):
    """One line of the log: something began, ended or happened in a process."""

    time: float
    """Seconds on CLOCK_MONOTONIC."""
    pid: int
    tid: int
    what: str
    """"start", "import", "imported", "import-failed", "create", "created", "exec", "statement",
    "call", "fork", "exec-program", "exception", "exit" ..."""
    name: str = ""
    file: str = ""
    line: int = 0
    argv: tuple[str, ...] = ()
    """The command line, of "start" only."""


class Flight(Data, frozen=True, kw_only=True):
    """All that is known of one process from its flight record."""

    pid: int
    parent: int
    began: float
    """When the probe came up, seconds on CLOCK_MONOTONIC."""
    argv: tuple[str, ...] = ()
    cwd: str = ""
    executable: str = ""
    version: str = ""
    """For example "3.11.7"."""
    implementation: str = "cpython"
    environment: tuple[tuple[str, str], ...] = ()
    """Variables of the allow-list only."""
    open: tuple[Span, ...] = ()
    """What is in progress, all threads, outermost first within a thread."""
    last: Span | None = None
    """The span that was completed last."""
    entry: Span | None = None
    """The entry script's statement that was seen last (kind "statement"): its file and line."""
    exception: str = ""
    """The uncaught exception, as "TypeName" (never its text: it may hold secrets)."""
    thrown: Span | None = None
    """Where that exception was raised; its name is the type."""
    text_to: TextTo = ""
    """Where the text of that exception went."""
    entry_end: EntryEnd = ""
    """Whether the entry script came to its end. While it runs, "left"."""
    entry_exact: bool = False
    """That line is where the script was left or runs; else it is where it was seen last."""
    entry_line: int = 0
    """The line of the entry script that was left; 0 where `entry` alone tells."""
    left_import: Span | None = None
    """The import that SystemExit left last, if no other was begun after."""
    left: Span | None = None
    """Where SystemExit was raised that left an import; its name is the exception being handled."""
    becomes: str = ""
    """The program that took the process over by exec."""
    finished: bool = False
    """The interpreter reached its end in the ordinary way."""
    events: int = 0
    """How many events were written since the start."""
    lost: int = 0
    """How many of them were overwritten or did not fit."""
    notes: tuple[str, ...] = ()
    """What the probe could not do here, in words (each becomes a Gap)."""
