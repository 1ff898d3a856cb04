"""Start a target below a keeper and watch it: what `run` does before anything is explained."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from hangbisect import probe
from hangbisect.host import Question, this_host
from hangbisect.model import Snapshot
from hangbisect.record import Record
from hangbisect.watch.aftermath import Before, gather
from hangbisect.watch.clocks import Clocks
from hangbisect.watch.endings import ended_snapshot, ending_of, is_silent
from hangbisect.watch.front import Keeper
from hangbisect.watch.happenings import Exited
from hangbisect.watch.hooked import cost_of_options
from hangbisect.watch.launch import Launch, Statements, probe_environment, record_folder
from hangbisect.watch.log import Log
from hangbisect.watch.run import Watch
from hangbisect.watch.scene import Scene
from hangbisect.watch.status import StatusLine
from hangbisect.watch.unwatched import outlasted
from hangbisect.watch.watched import OnHang, Watched

INJECT = Path(probe.__file__).parent / "inject"


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to run, and how to judge it. Durations are seconds."""

    argv: tuple[str, ...]
    """The whole command line, the interpreter first."""
    cwd: str = msgspec.field(default_factory=lambda: _working_directory())
    """"" where we are, also if that folder was removed."""
    environment: Mapping[str, str] = msgspec.field(default_factory=lambda: dict(os.environ))
    interpreter: str = ""
    interpreter_reason: str = ""
    notice: float = 5.0
    patience: float = 300.0
    on_hang: OnHang = "proved"
    within: float | None = None
    statements: Statements = "seen"
    """"exact": each statement of the script is timed on Python 3.8 to 3.11 too."""
    log: Path | None = None
    verbose: bool = False
    status_line: bool = True


class Supervised(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it: the facts of the last verdict or of the end."""

    snapshot: Snapshot
    watched: Watched
    folder: Path


def supervise(request: RunRequest, tool: str, tell: Callable[[Snapshot, Path], None]) -> Supervised:
    """Run a target to its end, telling the facts of each verdict as it is reached.

    Raises:
        TargetError: it could not be started.
        OutputError: there is no place for the flight record.
        WatchFailed: we failed on the way, and the target has ended since.
    """
    keeper = Keeper()
    before = Before()
    folder = record_folder(request.environment)
    log = Log(request.log, sys.stderr if request.verbose else None, _warn)
    try:
        pid = keeper.start(_launch(request, folder))
        with outlasted(keeper):
            scene = _scene(request, tool, keeper, pid)
            record = Record(folder)
            watched = _watch(
                request, keeper, record, scene, log, lambda snapshot: tell(snapshot, folder)
            )
            snapshot = watched.snapshot or _ended(scene, record, watched, keeper, before)
            return Supervised(snapshot=snapshot, watched=watched, folder=folder)
    finally:
        before.close()
        keeper.close()
        log.close()


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""


def _launch(request: RunRequest, folder: Path) -> Launch:
    return Launch(
        argv=request.argv,
        environment=probe_environment(request.environment, folder, INJECT, request.statements),
        cwd=request.cwd,
        folder=str(folder),
    )


def _scene(request: RunRequest, tool: str, keeper: Keeper, pid: int) -> Scene:
    question = Question(
        root=pid,
        leave_out=(os.getpid(), keeper.pid),
        began=keeper.began,
        inherited=keeper.inherited,
    )
    return Scene(
        question=question,
        system=this_host().system(),
        tool=tool,
        wall=time.time() - (time.monotonic() - keeper.began),
        cwd=request.cwd,
        argv=request.argv,
        interpreter=request.interpreter,
        interpreter_reason=request.interpreter_reason,
        environment=tuple(request.environment.items()),
        gaps=cost_of_options(pid, request.argv),
    )


def _watch(
    request: RunRequest,
    keeper: Keeper,
    record: Record,
    scene: Scene,
    log: Log,
    tell: Callable[[Snapshot], None],
) -> Watched:
    clocks = Clocks(
        keeper.began, notice=request.notice, patience=request.patience, within=request.within
    )
    status = StatusLine(sys.stderr, wanted=request.status_line)
    watch = Watch(
        keeper, record, scene, clocks, on_hang=request.on_hang, log=log, status=status, tell=tell
    )
    return watch.run()


def _ended(
    scene: Scene, record: Record, watched: Watched, keeper: Keeper, before: Before
) -> Snapshot:
    """Describe a target that ended, or was ended, before any verdict."""
    root = scene.question.root
    flight = next((f for f in record.flights() if f.pid == root), None)
    status = watched.wait_status
    ending = ending_of(
        None if status is None else Exited(pid=root, status=status),
        flight,
        scene.question.began,
        asked=watched.asked,
        by_us=watched.ended is not None,
        dump=record.dump(root),
        silent=is_silent(),
    )
    heirs = [pid for pid in keeper.census() if pid != root]
    found, gaps = gather(before, keeper.look, record, ending, flight, scene.question, heirs)
    ending = msgspec.structs.replace(
        ending,
        aftermath=found,
        out_of_memory=any(word.about == "memory" for word in found.words) or None,
    )
    scene = msgspec.structs.replace(scene, gaps=(*scene.gaps, *gaps))
    snapshot = ended_snapshot(scene, ending, flight, time.monotonic())
    return msgspec.structs.replace(
        snapshot, tail=record.tail(scene.question.began), phases=watched.phases
    )


def _warn(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # nobody could read it: the target goes on
        if sys.stderr is not None:
            sys.stderr.write(f"hangbisect: {text}\n")
            sys.stderr.flush()
