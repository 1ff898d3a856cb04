"""A thread: the call it is blocked in, the memory behind that, and its stacks.

Times are seconds since the target started unless a field says otherwise.
"""

from typing import Literal

from hangbisect.model._struct import Data

State = Literal["R", "S", "D", "T", "t", "Z", "X", "I", "?"]
Region = Literal[
    "loader",
    "interpreter",
    "libc",
    "library",
    "heap",
    "stack",
    "anonymous",
    "shared",
    "semaphore",
    "unknown",
]
Gil = Literal["holds", "waits"]


class Word(Data, frozen=True, kw_only=True):
    """The memory that a futex call waits on."""

    address: int
    expected: int
    """The value passed to the kernel, 32 bits: the joined thread's id for a native join (glibc)."""
    values: tuple[int, ...] = ()
    """Unsigned 32-bit words from `address` on, as far as they could be read (up to 16)."""
    private: bool
    """The private flag is set, or the mapping is private (marked p in /proc/PID/maps)."""
    region: Region = "unknown"
    path: str = ""
    """File of the mapping, or of the library whose zero-initialised data it is; "" if anonymous."""
    owner: int | None = None
    """Thread that the mutex behind the word names as its owner, where its layout is known."""
    joins: int | None = None
    """Thread id whose end the word stands for (native join), where its layout is known."""


class Call(Data, frozen=True, kw_only=True):
    """The system call in which a thread is blocked, with what its arguments point to."""

    name: str
    """The kernel's name: "futex", "poll" ...; "running" if it is in none; "" if unreadable."""
    arguments: tuple[int, ...] = ()
    descriptors: tuple[int, ...] = ()
    """Descriptors whose change ends the call (epoll: those it watches)."""
    writes: bool = False
    """Waits for room (write, send) rather than for data."""
    path: str | None = None
    """Path argument of open, stat, unlink ..."""
    address: str | None = None
    """Peer of a connect: "127.0.0.1:29500", "[::1]:80" or a Unix path."""
    child: int | None = None
    """wait4, waitid: pid waited for; -1 any child; below -1 or 0 a process group."""
    timed: bool = False
    """It ends by itself some day."""
    deadline: float | None = None
    """When, if that could be read."""
    interval: float | None = None
    """The whole length of the timed wait in seconds, if that could be read."""
    word: Word | None = None


class Local(Data, frozen=True, kw_only=True):
    """A local variable of a Python frame, as far as it may be kept.

    Kept are the identities of `self` and of synchronisation objects, strings that are absolute
    paths, and in frames of the standard library what it was asked for: the module's name in
    importlib, the `pattern` in re (200 characters, never the text it is applied to), the `host` in
    socket; and the `host`, `port`, `rank` and `world_size` that torch's rendezvous was given.
    Nothing else. Like all text these pass the redaction, which masks secrets in a pattern.
    """

    name: str
    type: str = ""
    address: int | None = None
    text: str | None = None


class Frame(Data, frozen=True, kw_only=True):
    """A Python frame."""

    function: str
    file: str
    line: int
    locals: tuple[Local, ...] = ()
    scope: str = ""
    """Its qualified name, where that was looked up: for functions that may tell a phase."""


class NativeFrame(Data, frozen=True, kw_only=True):
    """A native frame: the library is sure, the symbol only where symbols exist ("" if not)."""

    library: str
    symbol: str = ""
    address: int = 0


class Thread(Data, frozen=True, kw_only=True):
    """A thread, with what it waits in and its stacks. Frames are outermost first."""

    pid: int
    tid: int
    name: str = ""
    state: State = "?"
    call: Call | None = None
    still: bool = False
    """Its call and voluntary switches were the same before and after all other looks."""
    since: float | None = None
    """It has been in this one call at least since then, without waking up in between."""
    switches: int | None = None
    """Voluntary context switches so far."""
    cpu: float | None = None
    """CPU seconds so far."""
    wchan: str = ""
    """The kernel's word for the wait: for people to read, never decided on."""
    blocked: int = 0
    """Mask of blocked signals (SigBlk)."""
    gil: Gil | None = None
    frames: tuple[Frame, ...] = ()
    native: tuple[NativeFrame, ...] = ()
    libraries: tuple[str, ...] = ()
    """Libraries on the native stack, innermost first, as found without stopping (a heuristic)."""
    digest: str | None = None
    """Stands for the Python stack with the values of all locals: equal ones, of two looks of a run,
    mean that nothing which Python can see has changed. None: not read."""
