"""From two samples to what moved in between: the evidence that a target is alive.

What does not count: context switches and the few percent of CPU of a polling loop, which a thread
waiting for ever in short sleeps produces as well as one that will find what it looks for. A thread
that used CPU and never slept in between is at work, however little of the machine it gets.
"""

from collections.abc import Callable, Iterator

from hangbisect.model import ProcessPulse, Sample

TALK = 1 << 20
"""Bytes between two samples up to which traffic inside the tree counts as talk with oneself."""
BUSY = 0.10
"""Share of one CPU beyond which a process is doing more than polling."""
AWAKE = 1_000_000
"""Nanoseconds of CPU that a thread must have used to be called awake all the while."""


def moved(
    before: Sample, after: Sample, restarting: frozenset[int] = frozenset()
) -> tuple[str, ...]:
    """Name what moved between two samples of the same tree; empty means that nothing did.

    `restarting` are processes that start children which die again and again, and these children:
    what they do only repeats itself.
    """
    seconds = after.time - before.time
    old = _by_name(before, restarting)
    new = _by_name(after, restarting)
    found: list[str] = []
    for key, pulse in new.items():
        if key in old:
            found += _moved_in(old[key], pulse, seconds)
    if _computed(before, after, new):
        found.append("CPU")
    if _programs(old, new):
        found.append("a new process")
    return tuple(dict.fromkeys(found))


def main_moved(before: Sample, after: Sample, pids: frozenset[int]) -> bool:
    """Tell whether the main thread of one of these processes did anything between two samples."""
    old = {t.pid: t for t in before.threads if t.pid == t.tid and t.pid in pids}
    return any(
        (t.call, t.switches) != (o.call, o.switches)
        for t in after.threads
        if t.pid == t.tid and (o := old.get(t.pid)) is not None
    )


def _computed(
    before: Sample, after: Sample, processes: dict[tuple[int, int], ProcessPulse]
) -> bool:
    """Tell whether a thread used CPU without having waited: one that polls has slept in between.

    A control group's quota, or a crowd on few processors, leaves it as little as polling costs.
    """
    pids = {pid for pid, _ in processes}
    old = {(t.pid, t.tid): t for t in before.threads if t.pid in pids}
    return any(
        (o := old.get((t.pid, t.tid))) is not None
        and None not in (t.cpu, o.cpu, t.switches)
        and t.switches == o.switches
        and (t.cpu or 0) - (o.cpu or 0) > AWAKE
        for t in after.threads
    )


def _by_name(sample: Sample, leave_out: frozenset[int]) -> dict[tuple[int, int], ProcessPulse]:
    return {
        (p.pid, p.began): p
        for p in sample.processes
        if p.pid not in leave_out and p.parent not in leave_out
    }


def still_threads(before: Sample, after: Sample) -> frozenset[tuple[int, int]]:
    """Name the threads (pid, tid) that did not move: same call, same voluntary switches."""
    old = {(t.pid, t.tid): t for t in before.threads}
    return frozenset(
        (t.pid, t.tid)
        for t in after.threads
        if (o := old.get((t.pid, t.tid))) is not None
        and t.call
        and t.call == o.call
        and t.switches is not None
        and t.switches == o.switches
        and not t.call.startswith("running")
    )


def cpu_share(before: Sample, after: Sample) -> float:
    """Return the CPU use of the tree between two samples, 1.0 being one CPU."""
    return _rate(before, after, lambda pulse: pulse.cpu)


def traffic(before: Sample, after: Sample) -> float:
    """Return the bytes a second that the tree read and wrote between two samples."""
    return _rate(before, after, lambda pulse: pulse.read + pulse.written + pulse.received)


def _rate(before: Sample, after: Sample, count: Callable[[ProcessPulse], float]) -> float:
    old = {(p.pid, p.began): count(p) for p in before.processes}
    grown = sum(
        max(0.0, count(p) - old[key]) for p in after.processes if (key := (p.pid, p.began)) in old
    )
    seconds = after.time - before.time
    return grown / seconds if seconds > 0 else 0.0


def _moved_in(old: ProcessPulse, new: ProcessPulse, seconds: float) -> Iterator[str]:
    internal = new.internal - old.internal
    if new.received > old.received or _beyond(new.read - old.read, internal):
        yield "bytes read"
    if _beyond(new.written - old.written, internal):
        yield "bytes written"
    if new.major_faults > old.major_faults or new.minor_faults > old.minor_faults:
        yield "page faults"
    if new.descriptors != old.descriptors:
        yield "descriptors"
    if new.command != old.command:
        yield "a new program"
    if seconds > 0 and (new.cpu - old.cpu) / seconds > BUSY:
        yield "CPU"


def _beyond(size: int, internal: int) -> bool:
    """Tell whether more bytes moved than the tree's small talk with itself accounts for.

    The counters are not read at one moment, so a message more or less is allowed. Many bytes
    between two ends inside are work, such as that of ranks which exchange gradients.
    """
    if internal <= 0 or internal > TALK:
        return size > 0
    return size > internal * 3 // 2 + 512


def _programs(
    old: dict[tuple[int, int], ProcessPulse], new: dict[tuple[int, int], ProcessPulse]
) -> bool:
    """Tell whether a process appeared that does not merely replace one like it.

    A pool that restarts its dying workers for ever makes new processes without making progress:
    a newcomer with the command and the parent of one that has just gone does not count.
    """
    gone = [(p.command, p.parent) for key, p in old.items() if key not in new]
    for key, pulse in new.items():
        if key in old:
            continue
        if (pulse.command, pulse.parent) in gone:
            gone.remove((pulse.command, pulse.parent))
        else:
            return True
    return False
