"""Run, attach, diagnose, render: the only module that knows several rooms."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from hangbisect import causes, waits
from hangbisect._version import __version__
from hangbisect.errors import SnapshotError
from hangbisect.model import Diagnosis, Exit, Flight, ProcessNote, Snapshot, Step, System, Target
from hangbisect.model import codec
from hangbisect.model.redact import redact
from hangbisect.record import Record
from hangbisect.report import render
from hangbisect.watch import attach as attaching
from hangbisect.watch.clocks import Clocks
from hangbisect.watch.collect import Scene
from hangbisect.watch.ending import Ended
from hangbisect.watch.judge import judge

TOOL = f"hangbisect {__version__}"
SNAPSHOT = "snapshot.json"


def diagnose(snapshot: Snapshot) -> Diagnosis:
    """Say what the facts mean: verdict, wait chain, findings. Pure: works on a saved snapshot."""
    reading = waits.read(snapshot)
    verdict, certainty = judge(snapshot, reading)
    findings, gaps = causes.recognise_all(reading)
    stalled = snapshot.quiet_since is not None and snapshot.occasion not in ("ended", "within")
    blamed = reading.index.process(reading.blamed.pid)
    root = reading.index.process(snapshot.root)
    ending = snapshot.ending
    over = ending if snapshot.occasion == "ended" else None
    step = over.step if over else blamed.step if blamed else None
    return Diagnosis(
        tool=snapshot.tool,
        verdict=verdict,
        certainty=certainty,
        elapsed=round(snapshot.taken, 3),
        stalled_at=_rounded(snapshot.quiet_since) if stalled else None,
        target=_target(snapshot),
        step=step,
        last_completed=over.last if over else root.last if root else None,
        wait_chain=reading.chain.links if stalled else None,
        end=reading.chain.end if stalled else None,
        findings=findings,
        processes=_processes(snapshot),
        gaps=(*snapshot.gaps, *gaps),
        ended=bool(ending and ending.by_us),
    )


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)


def _target(snapshot: Snapshot) -> Target:
    root = next((p for p in snapshot.processes if p.pid == snapshot.root), None)
    ending = snapshot.ending
    return Target(
        argv=root.argv if root else (),
        pid=snapshot.root,
        python=root.python if root else "",
        cwd=snapshot.cwd,
        exit=Exit(code=ending.code, signal=ending.signal) if ending else None,
        interpreter=snapshot.interpreter,
        interpreter_reason=snapshot.interpreter_reason,
    )


def _processes(snapshot: Snapshot) -> tuple[ProcessNote, ...]:
    return tuple(
        ProcessNote(
            pid=p.pid,
            parent=p.parent,
            role=p.role,
            argv=p.argv,
            hooked=p.hooked,
            why_not_hooked=p.why_not_hooked,
            state=p.state,
            step=p.step,
        )
        for p in snapshot.processes
        if p.inside
    )


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to run, and how to judge it. Durations are seconds."""

    argv: tuple[str, ...]
    """The whole command line, the interpreter first."""
    display_argv: tuple[str, ...] = ()
    """What the user named."""
    cwd: str
    environment: Mapping[str, str]
    interpreter: str = ""
    interpreter_reason: str = ""
    notice: float = 5.0
    patience: float = 300.0
    on_hang: Literal["proved", "end", "keep"] = "proved"
    within: float | None = None
    log: Path | None = None
    verbose: bool = False
    status_line: bool = True


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a run or a look came to."""

    diagnosis: Diagnosis
    snapshot: Snapshot
    wait_status: int | None = None
    """The target's wait status; None if it goes on without us."""
    ended_by_us: bool = False
    folder: Path | None = None
    """Where the flight record and the snapshot are kept, if they are."""


def run(request: RunRequest, tell: Callable[[Outcome], None] | None = None) -> Outcome:
    """Run a target and watch it to its end. `tell` is given the outcome of each verdict as it is reached.

    Raises:
        TargetError: it could not be started.
    """
    folder = launching.record_folder(request.environment)
    keeper = Keeper()
    warn = (lambda text: print(f"hangbisect: {text}", file=sys.stderr))  # noqa: T201
    log = Log(request.log, sys.stderr if request.verbose else None, warn)
    try:
        return _run(request, tell, folder, keeper, log)
    finally:
        keeper.close()
        log.close()
