"""A process, and the step it had in progress.

Times are seconds since the target started.
"""

from typing import Literal

from hangbisect.model._struct import Data
from hangbisect.model.thread import State

StepKind = Literal["import", "statement", "phase", "before-python"]

Entrance = Literal["", "open", "no folder", "replaced", "dropped", "scrubbed", "emptied", "fenced"]
"""Of a process's first environment, whether it let the probe in. open: PYTHONPATH named our folder;
no folder: it did, but where to write was gone; replaced: PYTHONPATH was another; dropped: it alone
was gone; scrubbed: all of ours was; emptied: it had no variable at all;
fenced: a ._pth file beside the interpreter says which folders count. "": not known."""


class Step(Data, frozen=True, kw_only=True):
    """What a process had in progress: an import or a statement, and where it stands."""

    pid: int
    kind: StepKind
    name: str
    file: str = ""
    line: int = 0
    began: float | None = None
    chain: tuple["Step", ...] = ()
    """Outermost first; this step itself comes last. Empty within a chain."""


class Process(Data, frozen=True, kw_only=True):
    """A process of the tree (`inside`), or another one that holds what the tree waits for."""

    pid: int
    parent: int
    inside: bool = True
    began: float = 0.0
    argv: tuple[str, ...] = ()
    executable: str = ""
    state: State = "?"
    python: str = ""
    """Python version as "3.11.7" or "3.11"; "" if it is no Python, as far as is known."""
    hooked: bool = False
    """Our probe runs in it."""
    why_not_hooked: str | None = None
    role: str = ""
    """What it is to the program: "launcher", "rank 3", "worker" ...; "" if nothing tells."""
    owner: int | None = None
    """Its effective user id."""
    entrance: Entrance = ""
    variables: tuple[tuple[str, str], ...] = ()
    """The variables that tell a rank, as it was started with them."""
    group: int = 0
    session: int = 0
    terminal: int = 0
    """Device number of the controlling terminal, 0 if none (stat field tty_nr)."""
    terminal_name: str = ""
    foreground: int = -1
    """Foreground process group of that terminal (stat field tpgid)."""
    caught: int = 0
    """Mask of signals with a handler (SigCgt): bit 0 is signal 1."""
    ignored: int = 0
    pending: int = 0
    timers: int = 0
    """How many timers it has that could send a signal (timer_create). What alarm and setitimer set
    cannot be seen from outside."""
    tracer: int = 0
    frozen: bool = False
    """Its control group is frozen."""
    stop_signal: int | None = None
    """The signal that stopped it, if its parent could tell."""
    exit_status: int | None = None
    """For a zombie: its wait status."""
    step: Step | None = None
    last: Step | None = None
    """The step that was completed last."""
    exception: str = ""
