"""The published JSON report as types: `json.py` fills them, the JSON Schema is made from them.

Times are seconds since the target started; null means "does not apply". Keys may be added in
later versions of schema 1, those listed here keep their meaning.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from hangbisect.model import BlockerKind, Certainty, End, Verdict

Detail = str | int | float | bool | None | list[str]


class Tool(Struct, kw_only=True):
    """Who wrote the report."""

    name: str
    version: str


class Exit(Struct, kw_only=True):
    """How the target ended: its exit code, or the name of the signal that killed it."""

    code: int | UnsetType = UNSET
    signal: str | UnsetType = UNSET


class Target(Struct, kw_only=True):
    """What was run or looked at; `interpreter` says which Python was chosen, and why."""

    argv: list[str]
    pid: int
    python: str
    cwd: str
    exit: Exit | None
    interpreter: str
    interpreter_reason: str


class ChainStep(Struct, kw_only=True):
    """One step of the chain that led to the step in progress."""

    kind: str
    name: str
    file: str
    line: int
    started: float | None


class Step(Struct, kw_only=True):
    """What a process had in progress: a module, or the source text of a statement."""

    pid: int
    kind: Literal["import", "statement", "phase", "before-python"]
    name: str
    file: str
    line: int
    chain: list[ChainStep]
    """Outermost first, this step last."""
    started: float | None


class Ref(Struct, kw_only=True):
    """A thread; `tid` 0 is the process as a whole."""

    pid: int
    tid: int


class Thing(Struct, kw_only=True):
    """What is waited on."""

    kind: str
    id: str


class Link(Struct, kw_only=True):
    """One link of a wait chain. `holders` could end it: [] is nobody, null is not known."""

    waiter: Ref
    on: Thing
    holders: list[Ref] | None
    says: str
    at: str
    """Where the waiter's code stands: "/srv/run.py:3"; "" if that is not known."""
    evidence: list[str]


class Evidence(Struct, kw_only=True):
    """A checkable fact: what it is about, and what it shows."""

    ref: str
    shows: str


class Blocker(Struct, kw_only=True):
    """The object at the end of the chain: a path, host:port, pid, tid or name."""

    kind: BlockerKind
    id: str
    detail: dict[str, Detail]


class Experiment(Struct, kw_only=True):
    """The target run again with one change, what was predicted, and what happened."""

    question: str
    change: dict[str, str]
    predicted: str
    observed: list[str]
    verdict: Literal["confirmed", "refuted", "inconclusive"]


class Fix(Struct, kw_only=True):
    """A way round or out; `verified` if it was run and the hang was gone."""

    summary: str
    steps: list[str]
    change: dict[str, str] | None
    verified: bool


class Finding(Struct, kw_only=True):
    """A cause that was recognised; its code keeps its meaning for ever."""

    code: str
    name: str
    certainty: Certainty
    summary: str
    blocker: Blocker
    wait_chain: list[Link]
    end: End
    evidence: list[Evidence]
    experiments: list[Experiment]
    fix: Fix | None


class Reproducer(Struct, kw_only=True):
    """A smaller program that hangs in the same way."""

    file: str
    command: list[str]
    lines: int
    runs: int
    certainty: str


class Process(Struct, kw_only=True):
    """A process of the target's tree; `hooked` if it was followed from inside."""

    pid: int
    parent: int
    role: str
    argv: list[str]
    hooked: bool
    why_not_hooked: str | None
    state: str
    step: Step | None


class Gap(Struct, kw_only=True):
    """Evidence that could not be had."""

    what: str
    why: str
    remedy: str


class System(Struct, kw_only=True):
    """The machine that ran the target."""

    platform: str
    machine: str
    kernel: str
    libc: str


class Frame(Struct, kw_only=True):
    """A Python frame; `text` is the line's source, "" if it was not read."""

    function: str
    file: str
    line: int
    text: str


class NativeFrame(Struct, kw_only=True):
    """A native frame; `symbol` is "" where the library names none."""

    library: str
    symbol: str
    address: int


class Thread(Struct, kw_only=True):
    """A thread and its stacks, outermost frame first; `call` is the system call it is in."""

    pid: int
    tid: int
    name: str
    state: str
    call: str
    frames: list[Frame]
    native: list[NativeFrame]
    libraries: list[str]
    """On the native stack, innermost first, where it could not be unwound."""


class Event(Struct, kw_only=True):
    """Something began, ended or happened in a process."""

    time: float
    pid: int
    tid: int
    what: str
    name: str
    file: str
    line: int
    argv: list[str]


class Phase(Struct, kw_only=True):
    """A phase of a start. `began` null: a point that is reached; `ended` null: in progress."""

    pid: int
    tid: int
    name: str
    began: float | None
    ended: float | None
    failed: bool
    """It was left by an exception: ended, but not completed."""
    source: Literal["record", "monitoring", "stack"]
    """stack: seen from outside, so the times say when it was seen."""
    file: str
    line: int


class Report(Struct, kw_only=True):
    """The report of one run or one look."""

    schema: Literal[1]
    tool: Tool
    verdict: Verdict
    certainty: Certainty | None
    elapsed: float
    stalled_at: float | None
    """Last progress; where none was seen, when watching began."""
    watched_since: float
    """When watching began: later than the start for a process that ran already."""
    moving: list[str]
    """What moved when the verdict was reached."""
    ended: bool
    """hangbisect ended the target."""
    target: Target
    step: Step | None
    last_completed: Step | None
    wait_chain: list[Link] | None
    """Of the step's thread, also when no cause is known; null without a stall."""
    end: End | None
    findings: list[Finding]
    """Best first."""
    reproducer: Reproducer | None
    processes: list[Process]
    gaps: list[Gap]
    system: System | None
    environment: dict[str, str]
    """The target's variables that may be shown."""
    threads: list[Thread]
    tail: list[Event]
    """The last events of the flight record, oldest first."""
    phases: list[Phase]
    """How far the start of each process has come, in the order of what happened."""
    phase_completed: Phase | None
    """The phase that the process to blame completed last."""
    phase_in_progress: Phase | None
    """The innermost phase that it is in."""
