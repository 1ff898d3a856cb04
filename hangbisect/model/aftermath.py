"""What is found about an end once the target has gone: streams, limits, the kernel's words.

Sizes are bytes.
"""

from typing import Literal

from hangbisect.model._struct import Data

Leads = Literal[
    "terminal", "pipe", "no-reader", "file", "deleted", "null", "closed", "other", "unknown"
]
"""Where a stream leads. no-reader: a pipe or socket whose other end is gone; deleted: a file that
has no name any more; null: /dev/null."""

Way = Literal["", "end", "exit", "finished", "at-once", "program"]
"""How a program left that no signal ended. end: its entry script came to its end; exit: SystemExit
left the entry script; finished: by Python's own end, whether the script had ended is not known;
at-once: without Python's own end (os._exit, or native code); program: exec put another program in
its place. "": not known."""


class Stream(Data, frozen=True, kw_only=True):
    """A standard stream that the target got at its start, as it was at the end."""

    fd: int
    leads: Leads


class Memory(Data, frozen=True, kw_only=True):
    """The limits of memory that the target had, and what the kernel counted there."""

    group: str = ""
    """The control group's folder; "" if there is none."""
    limit: int | None = None
    """The lowest limit of the group and those above it."""
    address_space: int | None = None
    """The limit of the address space (RLIMIT_AS) at the start."""
    kills: int | None = None
    """How many processes of the group the kernel killed for want of memory during the run."""


class KernelWord(Data, frozen=True, kw_only=True):
    """A line of the kernel's log that names a process of the tree."""

    pid: int
    about: Literal["memory", "fault"]
    text: str
    library: str = ""
    """For a fault: the file whose code faulted; "" if the line names none."""
    offset: int | None = None
    """For a fault: where in that file, if the line says so."""


class Leaving(Data, frozen=True, kw_only=True):
    """The statement at which the entry script was left, read from its source."""

    file: str
    line: int
    text: str = ""
    is_exit: bool = False
    """It is a call of exit itself, or `raise SystemExit`, and says nothing."""
    handles: str = ""
    """What the `except` around it handles, as it is written; "" if there is none around it."""
    is_mute: bool = False
    """That handler does nothing but leave."""
    rest: int = 0
    """How many statements would have followed."""
    names_exit: bool = False
    """The script names `_exit` somewhere: its author meant to leave so."""


class Fallen(Data, frozen=True, kw_only=True):
    """Another process of the tree that died by a fault or for want of memory."""

    pid: int
    argv: tuple[str, ...] = ()
    words: tuple[KernelWord, ...] = ()
    dump: tuple[str, ...] = ()
    """What faulthandler wrote in it."""


class Aftermath(Data, frozen=True, kw_only=True):
    """All of it."""

    streams: tuple[Stream, ...] = ()
    memory: Memory | None = None
    words: tuple[KernelWord, ...] = ()
    """Of the target itself."""
    is_log_read: bool = False
    """The kernel's log was read: what it does not say did not happen by the kernel."""
    core: str = ""
    """The core file that it left, or where the kernel sent the core: "|" and a program."""
    native: tuple[str, ...] = ()
    """The native stack of the thread that faulted, innermost first, in words."""
    library: str = ""
    """The file whose code faulted, by that stack; its path where that is known."""
    leaving: Leaving | None = None
    heirs: tuple[int, ...] = ()
    """Processes that it left running."""
    fallen: tuple[Fallen, ...] = ()
