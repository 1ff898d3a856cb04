"""The facts about a stuck tree of processes, as tables: all that waits, causes and report may know.

Times are seconds since the target started unless a field says otherwise. Sizes are bytes.
A field that is None, or a row that is missing, was not seen; why is said by a `Gap`.
"""

from typing import Literal

from hangbisect.model._struct import Data
from hangbisect.model.aftermath import Aftermath, Leaving, Way
from hangbisect.model.flight import EntryEnd, Event, TextTo
from hangbisect.model.gap import Gap
from hangbisect.model.objects import Beat, Descriptor, FileLock, PathFact, Socket
from hangbisect.model.pace import Build, Motion, Pace
from hangbisect.model.phase import Phase
from hangbisect.model.process import Process, Step
from hangbisect.model.repeat import Repeat
from hangbisect.model.thread import Thread

Occasion = Literal["notice", "dead", "patience", "interrupted", "within", "attached", "ended"]
"""notice: quiet for a while; dead: two looks agreed that nobody can wake it; patience: no progress
for the whole patience; interrupted: a person gave up; within: start-up took too long; attached:
asked about a process that ran already; ended: the target is gone."""


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
    asked: bool = False
    """Somebody asked for it just before: Ctrl-C, or a signal to hangbisect."""
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
    text_to: TextTo = ""
    """Where that exception's text went, as the process itself saw it."""
    way: Way = ""
    """How it left, where no signal ended it."""
    entry_end: EntryEnd = ""
    """Whether the entry script had come to its end."""
    left: Step | None = None
    """The import that SystemExit left last."""
    raised: Step | None = None
    """Where that SystemExit was raised; its name is the exception that was being handled."""
    is_rough: bool = False
    """The step is a line where it was seen last: it may have gone on from there."""
    becomes: str = ""
    """The program that exec put in its place."""
    silent: bool | None = None
    """stdout and stderr were closed or go to /dev/null. None: not known."""
    dump: tuple[str, ...] = ()
    """Lines that faulthandler wrote at a fatal signal."""
    out_of_memory: bool | None = None
    """The kernel killed it for want of memory, and said so."""
    aftermath: Aftermath | None = None


class Loss(Data, frozen=True, kw_only=True):
    """Children of one process that died in the same way, one after the other, and were replaced."""

    parent: int
    argv: tuple[str, ...] = ()
    """Their command line, as the first of them had it."""
    exception: str = ""
    """Type of the exception that all of them ended with."""
    count: int = 0
    """How many have died so far."""
    living: tuple[int, ...] = ()
    """Those that got no further yet than the dead ones did."""


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
    builds: tuple[Build, ...] = ()
    sources: tuple[tuple[str, int, str], ...] = ()
    scopes: tuple[tuple[str, int, str, str], ...] = ()
    """(file, line, function, qualified name) of the frames that were asked about."""
    leavings: tuple[Leaving, ...] = ()
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
    motions: tuple[Motion, ...] = ()
    """Since when each of these moves, where it was watched for that."""
    paces: tuple[Pace, ...] = ()
    """How fast each process went on, where it was watched for that."""
    occasion: Occasion = "notice"
    """Why this snapshot was taken."""
    cwd: str = ""
    interpreter: str = ""
    interpreter_reason: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    processes: tuple[Process, ...] = ()
    around: tuple[Process, ...] = ()
    """The other processes below the command that was followed: listed, never judged."""
    threads: tuple[Thread, ...] = ()
    descriptors: tuple[Descriptor, ...] = ()
    sockets: tuple[Socket, ...] = ()
    locks: tuple[FileLock, ...] = ()
    beats: tuple[Beat, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    paths: tuple[PathFact, ...] = ()
    losses: tuple[Loss, ...] = ()
    builds: tuple[Build, ...] = ()
    sources: tuple[tuple[str, int, str], ...] = ()
    """(file, line, text) of the lines that steps and frames of the blamed threads name."""
    phases: tuple[Phase, ...] = ()
    """How far each process's start has come, in the order of what happened."""
    tail: tuple[Event, ...] = ()
    """The last events of the flight record, oldest first; their times too are since the start."""
    gaps: tuple[Gap, ...] = ()
    ending: Ending | None = None
    """Set when the target has ended: the tables then hold what was seen last."""
