"""From a wait status and the last flight record to how a target ended. Pure."""

import os
import signal

from hangbisect.model import Ending, Flight, Process, Snapshot, Step
from hangbisect.watch.scene import Scene
from hangbisect.watch.steps import last_step, step_of


def ending_of(
    status: int | None,
    flight: Flight | None,
    zero: float,
    *,
    by_us: bool,
    dump: tuple[str, ...],
    silent: bool | None,
) -> Ending:
    """Describe how the process ended, with what it had in progress and what it had completed."""
    signalled = status is not None and os.WIFSIGNALED(status)
    return Ending(
        code=None if status is None or signalled else os.waitstatus_to_exitcode(status),
        signal=_signal_name(os.WTERMSIG(status)) if status is not None and signalled else None,
        core=status is not None and signalled and os.WCOREDUMP(status),
        by_us=by_us,
        finished=bool(flight and flight.finished),
        step=_step(flight, zero),
        last=last_step(flight.pid, flight, zero) if flight else None,
        exception=flight.exception if flight else "",
        silent=silent,
        dump=dump,
    )


def ended_snapshot(scene: Scene, ending: Ending, flight: Flight | None, taken: float) -> Snapshot:
    """Compose the snapshot of a target that is gone."""
    root = Process(
        pid=scene.question.root,
        parent=0,
        argv=flight.argv if flight else scene.argv,
        executable=flight.executable if flight else scene.interpreter,
        state="X",
        python=flight.version if flight else "",
        hooked=flight is not None,
        step=ending.step,
        last=ending.last,
        exception=ending.exception,
    )
    return Snapshot(
        tool=scene.tool,
        system=scene.system,
        root=root.pid,
        blame=root.pid,
        wall=scene.wall,
        taken=taken - scene.question.began,
        occasion="ended",
        cwd=scene.cwd,
        interpreter=scene.interpreter,
        interpreter_reason=scene.interpreter_reason,
        environment=scene.environment,
        processes=(root,),
        gaps=scene.gaps,
        ending=ending,
    )


def is_silent() -> bool:
    """Tell whether nobody could read what a target prints that got our stdout and stderr."""
    try:
        null = os.stat(os.devnull).st_rdev
        return all(os.fstat(fd).st_rdev == null for fd in (1, 2))
    except OSError:
        return True  # one of them is closed


def _step(flight: Flight | None, zero: float) -> Step | None:
    """Return what was in progress; nothing was if the interpreter came to its end."""
    if flight is None:
        return None
    step = step_of(flight.pid, flight, (), flight.pid, {}, zero)
    return None if step.kind == "before-python" else step


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
