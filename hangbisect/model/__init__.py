"""Frozen data that rooms hand to each other, its codec, and the one door for redaction."""

from hangbisect.model.diagnosis import (
    Blocker,
    BlockerKind,
    Certainty,
    Diagnosis,
    End,
    Evidence,
    Exit,
    Experiment,
    Finding,
    Fix,
    FrameNote,
    Link,
    ProcessNote,
    Target,
    Thing,
    ThreadNote,
    Verdict,
)
from hangbisect.model.flight import Event, Flight, Span
from hangbisect.model.gap import Gap, ThreadRef
from hangbisect.model.objects import Beat, Descriptor, FileLock, PathFact, Socket
from hangbisect.model.pace import Build, Motion, Pace
from hangbisect.model.phase import Phase
from hangbisect.model.process import Process, Step
from hangbisect.model.repeat import Repeat
from hangbisect.model.sample import ProcessPulse, Sample, ThreadPulse
from hangbisect.model.snapshot import Ending, Facts, Loss, Snapshot, System
from hangbisect.model.thread import Call, Frame, Local, NativeFrame, State, Thread, Word

__all__ = [
    "Beat",
    "Blocker",
    "BlockerKind",
    "Build",
    "Call",
    "Certainty",
    "Descriptor",
    "Diagnosis",
    "End",
    "Ending",
    "Event",
    "Evidence",
    "Exit",
    "Experiment",
    "Facts",
    "FileLock",
    "Finding",
    "Fix",
    "Flight",
    "Frame",
    "FrameNote",
    "Gap",
    "Link",
    "Local",
    "Loss",
    "Motion",
    "NativeFrame",
    "Pace",
    "PathFact",
    "Phase",
    "Process",
    "ProcessNote",
    "ProcessPulse",
    "Repeat",
    "Sample",
    "Snapshot",
    "Socket",
    "Span",
    "State",
    "Step",
    "System",
    "Target",
    "Thing",
    "Thread",
    "ThreadNote",
    "ThreadPulse",
    "ThreadRef",
    "Verdict",
    "Word",
]
