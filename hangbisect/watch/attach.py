"""Look at a process that runs already: the same looks, nothing ended, nothing left behind."""

import os
import time

from msgspec.structs import replace

from hangbisect import waits
from hangbisect.errors import TargetError
from hangbisect.host import Question, this_host
from hangbisect.host.rights import refusal
from hangbisect.model import Facts, Process, Sample, Snapshot
from hangbisect.model.snapshot import Occasion
from hangbisect.watch import census
from hangbisect.watch.climb import Looks
from hangbisect.watch.collect import collect
from hangbisect.watch.looker import Looker
from hangbisect.watch.merge import merge
from hangbisect.watch.paces import Paces
from hangbisect.watch.phases import Phases
from hangbisect.watch.progress import moved
from hangbisect.watch.scene import Scene, Wanted

PAUSE = 0.5
"""Seconds between two samples."""
FIRST_LOOK = 1.0
"""Seconds until the first look for the dead; each next one comes twice as late."""


def attach(pid: int, *, patience: float, tool: str) -> Snapshot:
    """Look at a process and those below it for at most `patience` seconds.

    Raises:
        TargetError: it is gone, ours, somebody else's or not Python.
    """
    looker = Looker()
    try:
        began = check(pid, looker.look).began
        question = Question(root=pid, leave_out=(os.getpid(),), began=began)
        return _Visit(looker.look, _scene(question, tool)).watch(patience)
    finally:
        looker.close()


def check(pid: int, look: Looks) -> Process:
    """Return what is known of a Python process; its `began` is a time of CLOCK_MONOTONIC.

    Raises:
        TargetError: it is gone, ours, somebody else's or not Python.
    """
    if pid in _ourselves():
        raise TargetError(
            f"process {pid} is hangbisect itself, or started it",
            "Give the pid of the stuck program.",
        )
    facts = merge(p for p in look("facts", Question(root=pid)).parts if isinstance(p, Facts))
    process = next((row for row in facts.processes if row.pid == pid), None)
    if process is None or process.state in ("Z", "X"):
        raise TargetError(
            f"there is no running process {pid}", "Look it up with `ps` or `pgrep -af python`."
        )
    if not process.python:
        raise _not_python(pid)
    return process


def _ourselves() -> tuple[int, ...]:
    """Name this process and those above it: they wait for us."""
    found: list[int] = []
    pid = os.getpid()
    while pid > 1 and pid not in found:
        found.append(pid)
        above = census.member(pid)
        pid = above.parent if above is not None else os.getppid()
    return tuple(found)


def _not_python(pid: int) -> TargetError:
    gap = refusal(pid, "", otherwise="")
    if gap.why:
        return TargetError(f"process {pid} cannot be looked into: {gap.why}", gap.remedy or None)
    return TargetError(
        f"process {pid} is not Python",
        "Give the pid of the Python process; see its children with `pstree -p`.",
    )


class _Visit:
    """What was seen of a process since we came."""

    def __init__(self, look: Looks, scene: Scene) -> None:
        self._look = look
        self._scene = scene
        self._start = time.monotonic()
        self._calm: Sample | None = None
        self._before: Sample | None = None
        self._moving: tuple[str, ...] = ()
        self._paces = Paces()
        self._phases = Phases(scene.question.began)

    def watch(self, patience: float) -> Snapshot:
        """Look for at most `patience` seconds; come back early once two looks found it dead."""
        suspect, pause = False, FIRST_LOOK
        next_look = self._start + pause
        while (now := time.monotonic()) - self._start < patience:
            time.sleep(PAUSE)
            suspect = self._is_quiet() and suspect
            if now >= next_look:
                dead = _is_dead(self._collect("dead", thorough=False))
                if dead and suspect:
                    return self._collect("dead", thorough=True)
                suspect = dead
                pause = PAUSE if dead else pause * 2
                next_look = now + pause
        return self._collect("attached", thorough=not self._moving)

    def _is_quiet(self) -> bool:
        """Take a sample and tell whether nothing moved since the last one."""
        samples = [
            p for p in self._look("sample", self._scene.question).parts if isinstance(p, Sample)
        ]
        if not samples:
            return True
        before, self._before = self._before, samples[-1]
        self._paces.take(self._before)
        what = moved(before, self._before) if before else ()
        self._moving = tuple(dict.fromkeys((*self._moving, *what)))
        if what or self._calm is None:
            self._calm = self._before
        return not what

    def _collect(self, occasion: Occasion, *, thorough: bool) -> Snapshot:
        wanted = Wanted(
            occasion=occasion,
            now=time.monotonic(),
            quiet_since=self._quiet_since(occasion),
            thorough=thorough,
            calm=self._calm,
            moving=self._moving,
            motions=self._paces.motions(time.monotonic(), self._scene.question.began),
            rates_from=self._paces.before,
        )
        facts = collect(self._look, self._scene, None, wanted)
        self._phases.observe(facts.threads, wanted.now, frozenset())
        return replace(facts, phases=self._phases.all)

    def _quiet_since(self, occasion: Occasion) -> float | None:
        """Return when nothing moved any more; None if something did while we were there."""
        if not self._moving:
            return self._start
        return self._calm.time if self._calm is not None and occasion == "dead" else None


def _is_dead(snapshot: Snapshot) -> bool:
    reading = waits.read(snapshot)
    return reading.hung and reading.alone


def _scene(question: Question, tool: str) -> Scene:
    try:
        cwd = os.readlink(f"/proc/{question.root}/cwd")
        interpreter = os.readlink(f"/proc/{question.root}/exe")
    except OSError:
        cwd = interpreter = ""
    now = time.monotonic()
    return Scene(
        question=question,
        system=this_host().system(),
        tool=tool,
        wall=time.time() - (now - question.began),
        cwd=cwd,
        interpreter=interpreter,
        interpreter_reason="the process that was named",
        watched_since=now - question.began,
    )
