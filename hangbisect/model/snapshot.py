"""The facts about a stuck tree of processes, as tables: all that waits, causes and report may know.

Times are seconds since the target started unless a field says otherwise. Sizes are bytes.
A field that is None, or a row that is missing, was not seen; why is said by a `Gap`.
"""

from typing import Literal

from hangbisect.model._struct import Data
from hangbisect.model.repeat import Repeat

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
Kind = Literal[
    "pipe",
    "fifo",
    "file",
    "directory",
    "socket",
    "terminal",
    "device",
    "epoll",
    "eventfd",
    "timerfd",
    "signalfd",
    "pidfd",
    "inotify",
    "other",
]
Gil = Literal["holds", "waits"]
StepKind = Literal["import", "statement", "phase", "before-python"]
Occasion = Literal["notice", "dead", "patience", "interrupted", "within", "attached", "ended"]
"""notice: quiet for a while; dead: two looks agreed that nobody can wake it; patience: no progress for
the whole patience; interrupted: a person gave up; within: start-up took too long; attached: asked about
a process that ran already; ended: the target is gone."""


class Gap(Data, frozen=True, kw_only=True):
    """Evidence that could not be had: what, why, and what would make it possible."""

    what: str
    why: str
    remedy: str = ""


class ThreadRef(Data, frozen=True, order=True, kw_only=True):
    """Names a thread. `tid` 0 means the process as a whole."""

    pid: int
    tid: int


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
    """Thread id that the mutex behind the word names as its owner, where its layout is known."""
    joins: int | None = None
    """Thread id whose end the word stands for (native join), where its layout is known."""


class Call(Data, frozen=True, kw_only=True):
    """The system call in which a thread is blocked, with what its arguments point to."""

    name: str
    """The kernel's name: "futex", "read", "poll" ...; "running" if it is in none; "" if unreadable."""
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
    paths, and, in importlib's own frames, module names. Nothing else.
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
    """Its system call line and voluntary switches were the same before and after all other looks."""
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


class Descriptor(Data, frozen=True, kw_only=True):
    """An open descriptor; rows of processes outside the tree only where they matter to it."""

    pid: int
    fd: int
    kind: Kind
    target: str
    """What /proc/PID/fd/N points to: a path, "pipe:[123]", "socket:[456]" ..."""
    inode: int = 0
    device: int = 0
    mode: Literal["r", "w", "rw"] = "r"
    inherited: bool = False
    """The target got it at its start: somebody out of sight may hold the other end."""
    watched: tuple[int, ...] = ()
    """epoll: the descriptors it watches."""
    names: int | None = None
    """pidfd: the process whose end makes it readable."""
    full: bool = False
    """pipe: no room left; socket: the peer's window or our buffer is full."""


class Socket(Data, frozen=True, kw_only=True):
    """A socket of the tree, by inode."""

    inode: int
    family: Literal["unix", "inet", "inet6", "netlink", "other"]
    type: Literal["stream", "datagram", "other"] = "stream"
    state: str = ""
    """As the kernel says: "ESTABLISHED", "SYN_SENT", "LISTEN" ..."""
    local: str = ""
    """"127.0.0.1:29500", or a Unix path."""
    remote: str = ""
    peer: int | None = None
    """Inode of the other end, where it is on this machine."""
    timeout: float | None = None
    """SO_RCVTIMEO in seconds if it could be read; 0.0 means none."""
    received: int | None = None
    sent: int | None = None


class FileLock(Data, frozen=True, kw_only=True):
    """A lock on a file: who holds it, or who waits for it."""

    kind: Literal["flock", "posix", "ofd", "lease"]
    path: str
    inode: int
    device: int = 0
    holders: tuple[int, ...]
    """pids; empty if nobody on this machine is seen to hold it."""
    waiters: tuple[int, ...] = ()


class Beat(Data, frozen=True, kw_only=True):
    """A call that a polling thread repeats: what is polled, and with which result."""

    pid: int
    tid: int
    call: str
    path: str | None = None
    address: str | None = None
    error: int = 0
    """errno of the result, 0 if it succeeded."""
    count: int = 1


class PathFact(Data, frozen=True, kw_only=True):
    """What is known of a path that a wait or a poll names."""

    path: str
    exists: bool | None
    """None: could not be asked in time."""
    kind: Literal["file", "directory", "fifo", "socket", "device", "link", "missing", "unknown"] = (
        "unknown"
    )
    age: float | None = None
    """Seconds since its last change."""
    size: int | None = None
    openers: tuple[int, ...] = ()
    """pids that have it open."""
    mount: str = ""
    filesystem: str = ""


class System(Data, frozen=True, kw_only=True):
    """The machine, as far as it matters for reading the facts."""

    platform: str
    machine: str
    kernel: str = ""
    libc: str = ""


class Ending(Data, frozen=True, kw_only=True):
    """How the target ended, where it did."""

    code: int | None = None
    signal: str | None = None
    """For example "SIGKILL"."""
    core: bool = False
    by_us: bool = False
    """hangbisect ended it."""
    finished: bool = False
    """Its interpreter reached the end in the ordinary way, as far as the probe saw."""
    step: Step | None = None
    """What was in progress at the end."""
    last: Step | None = None
    """What was completed last."""
    exception: str = ""
    """Type of the uncaught exception, "" if none was seen."""
    silent: bool | None = None
    """stdout and stderr were closed or go to /dev/null. None: not known."""
    dump: tuple[str, ...] = ()
    """Lines that faulthandler wrote at a fatal signal."""
    out_of_memory: bool | None = None


class Facts(Data, frozen=True, kw_only=True):
    """Rows that one look brought home; collect merges them into a Snapshot."""

    processes: tuple[Process, ...] = ()
    threads: tuple[Thread, ...] = ()
    descriptors: tuple[Descriptor, ...] = ()
    sockets: tuple[Socket, ...] = ()
    locks: tuple[FileLock, ...] = ()
    beats: tuple[Beat, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    paths: tuple[PathFact, ...] = ()
    sources: tuple[tuple[str, int, str], ...] = ()
    gaps: tuple[Gap, ...] = ()


class Snapshot(Data, frozen=True, kw_only=True):
    """All facts of one look at the tree."""

    schema: int = 1
    tool: str = ""
    system: System
    root: int
    """pid of the target."""
    blame: int = 0
    """pid whose main thread is judged; the root unless a launcher is above it."""
    launchers: tuple[int, ...] = ()
    """pids that only launched the target: their own waiting is never the answer."""
    wall: float = 0.0
    """Unix time of the target's start."""
    taken: float = 0.0
    watched_since: float = 0.0
    """When watching began: later than the start for a process that ran already."""
    quiet_since: float | None = None
    """When the last progress was seen; where none was seen, when watching began."""
    moving: tuple[str, ...] = ()
    """What moved while the facts were collected, in words: "CPU", "bytes read" ..."""
    occasion: Occasion = "notice"
    """Why this snapshot was taken."""
    cwd: str = ""
    interpreter: str = ""
    interpreter_reason: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    processes: tuple[Process, ...] = ()
    threads: tuple[Thread, ...] = ()
    descriptors: tuple[Descriptor, ...] = ()
    sockets: tuple[Socket, ...] = ()
    locks: tuple[FileLock, ...] = ()
    beats: tuple[Beat, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    paths: tuple[PathFact, ...] = ()
    sources: tuple[tuple[str, int, str], ...] = ()
    """(file, line, text) of the lines that steps and frames of the blamed threads name."""
    gaps: tuple[Gap, ...] = ()
    ending: Ending | None = None
    """Set when the target has ended: the tables then hold what was seen last."""
