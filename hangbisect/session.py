"""Run, attach, diagnose, render: the only module that knows several rooms."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from hangbisect import causes, waits
from hangbisect._version import __version__
from hangbisect.causes import explain
from hangbisect.errors import OutputError, WatchFailed
from hangbisect.model import Diagnosis, Exit, Gap, ProcessNote, Snapshot, Target, codec
from hangbisect.model.noted import thread_notes
from hangbisect.model.redact import redact
from hangbisect.report import render
from hangbisect.watch import attach as attaching
from hangbisect.watch.below import ExecRequest
from hangbisect.watch.below import follow as follow_command
from hangbisect.watch.exits import exit_like
from hangbisect.watch.judge import judge
from hangbisect.watch.phases import in_progress, last_completed
from hangbisect.watch.recorded import recorded
from hangbisect.watch.supervise import RunRequest, Supervised, supervise
from hangbisect.watch.unwatched import say

__all__ = [
    "ExecRequest",
    "Outcome",
    "RunRequest",
    "attach",
    "diagnose",
    "exit_like",
    "explain",
    "follow",
    "load",
    "render",
    "run",
    "save",
]

TOOL = f"hangbisect {__version__}"
SNAPSHOT = "snapshot.json"


def diagnose(snapshot: Snapshot) -> Diagnosis:
    """Say what the facts mean: verdict, wait chain, findings. Pure: works on a saved snapshot."""
    reading = waits.read(snapshot)
    verdict, certainty = judge(snapshot, reading)
    findings, gaps = causes.recognise_all(reading)
    stalled = snapshot.quiet_since is not None and not _goes_on(snapshot)
    blamed = reading.index.process(reading.blamed.pid)
    root = reading.index.process(snapshot.root)
    ending = snapshot.ending
    over = ending if snapshot.occasion == "ended" else None
    ended_in = None if over is None or over.is_rough else over.step
    step = ended_in if over else blamed.step if blamed else None
    blame = snapshot.root if over else reading.blamed.pid
    return Diagnosis(
        tool=snapshot.tool,
        verdict=verdict,
        certainty=certainty,
        elapsed=round(snapshot.taken, 3),
        stalled_at=_rounded(snapshot.quiet_since) if stalled else None,
        watched_since=round(snapshot.watched_since, 3),
        moving=snapshot.moving,
        target=_target(snapshot),
        step=step,
        last_completed=over.last if over else root.last if root else None,
        wait_chain=reading.chain.links if stalled else None,
        end=reading.chain.end if stalled else None,
        findings=findings,
        processes=_processes(snapshot),
        gaps=(*snapshot.gaps, *gaps),
        ended=bool(ending and ending.by_us),
        system=snapshot.system,
        environment=snapshot.environment,
        threads=thread_notes(snapshot),
        tail=snapshot.tail,
        phases=snapshot.phases,
        phase_completed=last_completed(snapshot.phases, blame),
        phase_in_progress=in_progress(snapshot.phases, blame),
    )


def _goes_on(snapshot: Snapshot) -> bool:
    """Tell whether it has ended, or takes long while something moves: it stands still nowhere."""
    late = snapshot.occasion == "within"
    return snapshot.occasion == "ended" or (late and bool(snapshot.moving))


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
        for p in (*snapshot.around, *(row for row in snapshot.processes if row.inside))
    )


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a run or a look came to."""

    diagnosis: Diagnosis
    snapshot: Snapshot
    wait_status: int | None = None
    """The target's wait status; None if it goes on without us."""
    ended_by_us: bool = False
    folder: Path | None = None
    """Where the flight record and the snapshot were left; None if nothing was worth keeping."""


def run(request: RunRequest, tell: Callable[[Outcome], None] = lambda outcome: None) -> Outcome:
    """Run a target and watch it to its end; `tell` is given each verdict as it is reached.

    Raises:
        TargetError: it could not be started.
        WatchFailed: hangbisect failed on the way, and the target has ended since.
    """

    def told(snapshot: Snapshot, folder: Path) -> None:
        tell(_kept(snapshot, folder))

    done = supervise(request, TOOL, told)
    status = done.watched.wait_status
    try:
        outcome = _at_the_end(done)
    except Exception as fault:
        if status is None:
            raise
        say(fault, "The target had ended, and its exit status is kept.")
        raise WatchFailed(status) from fault
    return msgspec.structs.replace(
        outcome, wait_status=status, ended_by_us=done.watched.ended is not None
    )


def _at_the_end(done: Supervised) -> Outcome:
    outcome = _outcome(redact(done.snapshot), None)
    if _is_worth_keeping(outcome.diagnosis):
        return _kept(done.snapshot, done.folder)
    shutil.rmtree(done.folder, ignore_errors=True)
    return outcome


def follow(request: ExecRequest, tell: Callable[[Outcome], None]) -> int | None:
    """Run a command to its end, and tell each incident of a Python program below it.

    Returns:
        The command's wait status; None if it goes on without us.

    Raises:
        TargetError: it could not be started.
    """
    done = follow_command(request, TOOL, lambda snapshot: tell(_outcome(redact(snapshot), None)))
    shutil.rmtree(done.folder, ignore_errors=True)
    return done.wait_status


def _is_worth_keeping(diagnosis: Diagnosis) -> bool:
    """Tell whether there is more to look at than an ordinary end."""
    sure = any(finding.certainty != "possible" for finding in diagnosis.findings)
    return sure or diagnosis.verdict not in ("finished", "failed")


def _kept(snapshot: Snapshot, folder: Path) -> Outcome:
    """Save the facts, and say what they mean. A full disk costs the file, not the answer."""
    try:
        codec.save(redact(snapshot), folder / SNAPSHOT, replace=True)
    except OutputError as error:
        lost = Gap(what="the saved facts of this run", why=str(error), remedy=error.help)
        snapshot = msgspec.structs.replace(snapshot, gaps=(*snapshot.gaps, lost))
        return _outcome(redact(snapshot), None)
    return _outcome(redact(snapshot), folder)


def _outcome(snapshot: Snapshot, folder: Path | None) -> Outcome:
    return Outcome(diagnosis=diagnose(snapshot), snapshot=snapshot, folder=folder)


def attach(pid: int, *, patience: float = 10.0) -> Outcome:
    """Look at a process that runs already, for at most `patience` seconds, and leave it as it is.

    Raises:
        TargetError: it is gone, ours, somebody else's or not Python.
    """
    return _outcome(redact(attaching.attach(pid, patience=patience, tool=TOOL)), None)


def load(path: Path) -> Diagnosis:
    """Read a saved snapshot, a saved diagnosis, or the folder of a flight record.

    Raises:
        SnapshotError: it is none of these.
    """
    if path.is_dir():
        saved = path / SNAPSHOT
        return load(saved) if saved.exists() else diagnose(redact(recorded(path, TOOL)))
    document = codec.load(path)
    return diagnose(document) if isinstance(document, Snapshot) else document


def save(document: Snapshot | Diagnosis, path: Path) -> None:
    """Write a document to a new private file, with secrets masked."""
    codec.save(redact(document), path)
