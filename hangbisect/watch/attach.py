"""Look at a process that runs already: the same looks, nothing ended, nothing left behind."""

import os
import time

import psutil

from hangbisect import waits
from hangbisect.errors import TargetError
from hangbisect.host import Question, this_host
from hangbisect.model import Facts, Sample, Snapshot
from hangbisect.model.snapshot import Occasion
from hangbisect.watch.collect import Looks, Scene, collect
from hangbisect.watch.looker import Looker
from hangbisect.watch.progress import moved

PAUSE = 0.5
"""Seconds between two samples."""


def attach(pid: int, *, patience: float, tool: str) -> Snapshot:
    """Look at a process and those below it for at most `patience` seconds.

    Raises:
        TargetError: it is gone, ours, somebody else's or not Python.
    """
    looker = Looker()
    try:
        began = time.monotonic() - (time.time() - _started(pid))
        question = Question(root=pid, leave_out=(os.getpid(),), began=began)
        check(pid, looker.look, question)
        return watch(looker.look, _scene(question, tool), patience=patience)
    finally:
        looker.close()


def _started(pid: int) -> float:
    try:
        return float(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        raise _gone(pid) from None
    except psutil.AccessDenied:
        return time.time()


def check(pid: int, look: Looks, question: Question) -> Facts:
    """Return the first facts of a process, or say why it cannot be looked at.

    Raises:
        TargetError: it is gone, ours, somebody else's or not Python.
    """
    if pid in (os.getpid(), os.getppid()):
        raise TargetError(
            f"process {pid} is hangbisect itself or its parent",
            "Give the pid of the stuck program.",
        )
    parts = [part for part in look("facts", question).parts if isinstance(part, Facts)]
    rows = [p for part in parts for p in part.processes if p.pid == pid]
    if not rows or rows[-1].state in "ZX":
        raise _gone(pid)
    if not any(row.python for row in rows):
        raise _not_python(pid)
    return parts[-1]


def _gone(pid: int) -> TargetError:
    return TargetError(
        f"there is no running process {pid}", "Look it up with `ps` or `pgrep -af python`."
    )


def _not_python(pid: int) -> TargetError:
    try:
        os.readlink(f"/proc/{pid}/exe")
    except PermissionError:
        return TargetError(
            f"process {pid} belongs to somebody else and cannot be read",
            "Run hangbisect as the same user, or with sudo.",
        )
    except OSError:
        return _gone(pid)
    return TargetError(
        f"process {pid} is not Python",
        "Give the pid of the Python process; see its children with `pstree -p`.",
    )


def watch(look: Looks, scene: Scene, *, patience: float) -> Snapshot:
    """Look for at most `patience` seconds; come back early once two looks found it dead."""
    start = time.monotonic()
    quiet_since, before, suspect, pause = start, None, False, 1.0
    next_look = start + pause
    while time.monotonic() - start < patience:
        time.sleep(PAUSE)
        now = time.monotonic()
        sample = next(
            (p for p in look("sample", scene.question).parts if isinstance(p, Sample)), None
        )
        if before and sample and moved(before, sample):
            quiet_since, suspect = now, False
        before = sample
        if now >= next_look:
            dead = _is_dead(
                collect(
                    look, scene, None, occasion="dead", now=now, quiet_since=None, thorough=False
                )
            )
            if dead and suspect:
                return _final(look, scene, "dead", quiet_since)
            suspect = dead
            pause = PAUSE if dead else pause * 2
            next_look = now + pause
    return _final(look, scene, "attached", quiet_since if quiet_since == start else None)


def _is_dead(snapshot: Snapshot) -> bool:
    reading = waits.read(snapshot)
    return reading.hung and reading.alone


def _final(look: Looks, scene: Scene, occasion: Occasion, quiet_since: float | None) -> Snapshot:
    return collect(
        look,
        scene,
        None,
        occasion=occasion,
        now=time.monotonic(),
        quiet_since=quiet_since,
        thorough=quiet_since is not None,
    )


def _scene(question: Question, tool: str) -> Scene:
    try:
        cwd = os.readlink(f"/proc/{question.root}/cwd")
        interpreter = os.readlink(f"/proc/{question.root}/exe")
    except OSError:
        cwd = interpreter = ""
    return Scene(
        question=question,
        system=this_host().system(),
        tool=tool,
        wall=time.time() - (time.monotonic() - question.began),
        cwd=cwd,
        interpreter=interpreter,
        interpreter_reason="the process that was named",
    )
