"""The host for systems that have no file of their own: what psutil tells, and gaps for the rest."""

import platform
import sys
import time
from collections.abc import Iterator

import psutil

from hangbisect.host._protocol import Question
from hangbisect.model import (
    Facts,
    Gap,
    PathFact,
    Process,
    ProcessPulse,
    Sample,
    State,
    System,
    Thread,
    ThreadPulse,
)

_STATES: dict[str, State] = {
    psutil.STATUS_RUNNING: "R",
    psutil.STATUS_SLEEPING: "S",
    psutil.STATUS_IDLE: "S",
    psutil.STATUS_DISK_SLEEP: "D",
    psutil.STATUS_STOPPED: "T",
    psutil.STATUS_TRACING_STOP: "t",
    psutil.STATUS_ZOMBIE: "Z",
    psutil.STATUS_DEAD: "X",
}
_UNSAID = ("system calls of threads", "other ends of pipes and sockets", "holders of file locks")


class Portable:
    """Keeps the `Host` protocol on any system that psutil knows."""

    def system(self) -> System:
        """Describe the machine."""
        return System(platform=sys.platform, machine=platform.machine(), kernel=platform.release())

    def sample(self, question: Question) -> Sample:
        """Read cheap counters of the tree."""
        tree = _tree(question)
        return Sample(
            time=time.monotonic(),
            processes=tuple(pulse for each in tree if (pulse := _pulse(each)) is not None),
            threads=tuple(pulse for each in tree for pulse in _thread_pulses(each)),
        )

    def facts(self, question: Question) -> Iterator[Facts]:
        """Describe the processes and threads of the tree, and say what is not known here."""
        tree = _tree(question)
        gaps = [Gap(what=what, why=f"not to be had on {sys.platform}") for what in _UNSAID]
        yield Facts(gaps=tuple(gaps))
        yield Facts(
            processes=tuple(row for each in tree if (row := _row(each, question)) is not None),
            threads=tuple(row for each in tree for row in _threads(each)),
        )

    def path_facts(self, question: Question) -> Iterator[Facts]:
        """Say nothing of paths but that they were asked for."""
        paths = tuple(PathFact(path=path, exists=None) for path in question.paths)
        yield Facts(
            paths=paths,
            gaps=(Gap(what="facts about paths", why=f"not to be had on {sys.platform}"),),
        )

    def builds(self, question: Question) -> Iterator[Facts]:
        """Say that folders of builds are not read here."""
        yield Facts(gaps=(Gap(what="how far builds are", why=f"not to be had on {sys.platform}"),))

    def beats(self, question: Question) -> Iterator[Facts]:
        """Say that nothing can be listened to here."""
        yield Facts(gaps=(Gap(what="what is polled", why=f"not to be had on {sys.platform}"),))

    def states(self, question: Question) -> Iterator[Facts]:
        """Say that no registers can be read here."""
        yield Facts(gaps=(Gap(what="machine states", why=f"not to be had on {sys.platform}"),))


def _tree(question: Question) -> tuple[psutil.Process, ...]:
    found: dict[int, psutil.Process] = {}
    for root in (question.root, *question.extra):
        try:
            process = psutil.Process(root)
            family = [process, *process.children(recursive=True)]
        except psutil.Error:  # it has ended
            continue
        found.update({each.pid: each for each in family if each.pid not in question.leave_out})
    return tuple(found.values())


def _pulse(process: psutil.Process) -> ProcessPulse | None:
    try:
        with process.oneshot():
            times = process.cpu_times()
            return ProcessPulse(
                pid=process.pid,
                parent=process.ppid(),
                began=int(process.create_time() * 1000),
                command=process.name(),
                state=_STATES.get(process.status(), "?"),
                cpu=times.user + times.system,
            )
    except psutil.Error:  # it has ended, or is not ours to see
        return None


def _thread_pulses(process: psutil.Process) -> Iterator[ThreadPulse]:
    for tid, cpu in _thread_times(process).items():
        yield ThreadPulse(pid=process.pid, tid=tid, state="?", cpu=int(cpu * 1e9))


def _threads(process: psutil.Process) -> Iterator[Thread]:
    for tid, cpu in _thread_times(process).items():
        yield Thread(pid=process.pid, tid=tid, cpu=cpu)


def _thread_times(process: psutil.Process) -> dict[int, float]:
    try:
        return {each.id: each.user_time + each.system_time for each in process.threads()}
    except psutil.Error:  # it has ended, or is not ours to see
        return {}


def _row(process: psutil.Process, question: Question) -> Process | None:
    try:
        with process.oneshot():
            began = process.create_time() - time.time() + time.monotonic() - question.began
            return Process(
                pid=process.pid,
                parent=process.ppid(),
                began=began,
                argv=tuple(process.cmdline()),
                executable=process.exe(),
                state=_STATES.get(process.status(), "?"),
            )
    except psutil.Error:  # it has ended, or is not ours to see
        return None


host = Portable()
