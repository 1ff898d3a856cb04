"""What is said in the end: verdict, wait chain, findings. Mirrors the published JSON report."""

from typing import Literal

import msgspec

from hangbisect.model._struct import Data
from hangbisect.model.flight import Event
from hangbisect.model.gap import Gap, ThreadRef
from hangbisect.model.phase import Phase
from hangbisect.model.process import Step
from hangbisect.model.snapshot import System
from hangbisect.model.thread import NativeFrame, State

Verdict = Literal["hung", "slow", "finished", "failed", "crashed", "never-started", "unknown"]
Certainty = Literal["proved", "likely", "possible", "refuted"]
End = Literal["cycle", "nobody", "person", "outside", "running", "timer", "unknown"]
BlockerKind = Literal[
    "library",
    "file",
    "process",
    "thread",
    "host",
    "module",
    "lock",
    "terminal",
    "variable",
    "package",
    "device",
    "pattern",
    "signal",
    "mount",
    "semaphore",
    "pipe",
    "rank",
    "limit",
]


class Thing(Data, frozen=True, kw_only=True):
    """What a thread waits on: a kind and an identity."""

    kind: str
    id: str


class Link(Data, frozen=True, kw_only=True):
    """One link of a wait chain: who waits, on what, and who could end that wait."""

    waiter: ThreadRef
    on: Thing
    holders: tuple[ThreadRef, ...] | None
    """Empty: nobody. None: not known (outside, a person, a timer)."""
    says: str = ""
    """The link in words, for people: "joins thread 130", "reads the pipe 4711"."""
    at: str = ""
    """Where its code stands, the standard library left out: "/srv/run.py:3"; "" if unknown."""
    evidence: tuple[str, ...] = ()


class Evidence(Data, frozen=True, kw_only=True):
    """A checkable fact: where it is (a table row), and what it shows."""

    ref: str
    shows: str


class Blocker(Data, frozen=True, kw_only=True):
    """The object at the end of the chain, the thing to blame."""

    kind: BlockerKind
    id: str
    detail: dict[str, str | int | float | bool | list[str] | None] = msgspec.field(
        default_factory=dict
    )


class Experiment(Data, frozen=True, kw_only=True):
    """A question put to the target by running it again with one change."""

    question: str
    change: dict[str, str]
    predicted: str
    observed: tuple[str, ...]
    verdict: Literal["confirmed", "refuted", "inconclusive"]


class Fix(Data, frozen=True, kw_only=True):
    """A way round or out, and whether it was run."""

    summary: str
    steps: tuple[str, ...] = ()
    change: dict[str, str] | None = None
    verified: bool = False


class Finding(Data, frozen=True, kw_only=True):
    """A cause that was recognised, with its evidence."""

    code: str
    name: str
    certainty: Certainty
    summary: str
    blocker: Blocker
    wait_chain: tuple[Link, ...]
    end: End
    evidence: tuple[Evidence, ...]
    experiments: tuple[Experiment, ...] = ()
    fix: Fix | None = None


class Exit(Data, frozen=True, kw_only=True):
    """How the target ended: `code`, or the name of the signal."""

    code: int | None = None
    signal: str | None = None


class Target(Data, frozen=True, kw_only=True):
    """What was run or looked at."""

    argv: tuple[str, ...]
    pid: int
    python: str
    cwd: str
    exit: Exit | None = None
    interpreter: str = ""
    interpreter_reason: str = ""


class ProcessNote(Data, frozen=True, kw_only=True):
    """A process of the tree, as the report lists it."""

    pid: int
    parent: int
    role: str
    argv: tuple[str, ...]
    hooked: bool
    why_not_hooked: str | None
    state: str
    step: Step | None


class FrameNote(Data, frozen=True, kw_only=True):
    """A Python frame without its locals."""

    function: str
    file: str
    line: int
    text: str = ""
    """The line's source text; "" if it was not read."""


class ThreadNote(Data, frozen=True, kw_only=True):
    """A thread of the tree with its stacks, frames outermost first."""

    pid: int
    tid: int
    name: str = ""
    state: State = "?"
    call: str = ""
    """The system call it is in, by the kernel's name; "running" if in none, "" if unreadable."""
    frames: tuple[FrameNote, ...] = ()
    native: tuple[NativeFrame, ...] = ()
    libraries: tuple[str, ...] = ()
    """Libraries on the native stack, innermost first, where it could not be unwound."""


class Diagnosis(Data, frozen=True, kw_only=True):
    """The whole answer. Times are seconds since the target started."""

    schema: int = 1
    tool: str
    verdict: Verdict
    certainty: Certainty | None
    elapsed: float
    stalled_at: float | None
    watched_since: float = 0.0
    """When watching began: later than the start for a process that ran already."""
    moving: tuple[str, ...] = ()
    """What moved when the verdict was reached, in words."""
    target: Target
    step: Step | None
    last_completed: Step | None = None
    phases: tuple[Phase, ...] = ()
    """How far the start of each process has come, in the order of what happened."""
    phase_completed: Phase | None = None
    """The phase that the process to blame completed last."""
    phase_in_progress: Phase | None = None
    """The innermost phase that it is in."""
    wait_chain: tuple[Link, ...] | None
    end: End | None
    findings: tuple[Finding, ...] = ()
    reproducer: None = None
    processes: tuple[ProcessNote, ...] = ()
    gaps: tuple[Gap, ...] = ()
    ended: bool = False
    """hangbisect ended the target."""
    system: System | None = None
    environment: tuple[tuple[str, str], ...] = ()
    """The target's variables of the allow-list."""
    threads: tuple[ThreadNote, ...] = ()
    tail: tuple[Event, ...] = ()
    """The last events of the flight record, oldest first; their times too are since the start."""
