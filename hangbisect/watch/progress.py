"""From two samples to what moved in between: the evidence that a target is alive.

What does not count: context switches and the few percent of CPU of a polling loop, which a thread
waiting for ever in short sleeps produces as well as one that will find what it looks for.
"""

from collections.abc import Iterator

from hangbisect.model import ProcessPulse, Sample

BUSY = 0.10
"""Share of one CPU beyond which a process is doing more than polling."""


def moved(before: Sample, after: Sample) -> tuple[str, ...]:
    """Name what moved between two samples of the same tree; empty means that nothing did."""
    seconds = after.time - before.time
    old = {(p.pid, p.began): p for p in before.processes}
    new = {(p.pid, p.began): p for p in after.processes}
    found: list[str] = []
    for key, pulse in new.items():
        if key in old:
            found += _moved_in(old[key], pulse, seconds)
    if _programs(old, new):
        found.append("a new process")
    return tuple(dict.fromkeys(found))


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
    old = {(p.pid, p.began): p.cpu for p in before.processes}
    used = sum(
        max(0.0, p.cpu - old[key]) for p in after.processes if (key := (p.pid, p.began)) in old
    )
    seconds = after.time - before.time
    return used / seconds if seconds > 0 else 0.0


def _moved_in(old: ProcessPulse, new: ProcessPulse, seconds: float) -> Iterator[str]:
    if new.read > old.read or new.received > old.received:
        yield "bytes read"
    if new.written > old.written:
        yield "bytes written"
    if new.major_faults > old.major_faults or new.minor_faults > old.minor_faults:
        yield "page faults"
    if new.descriptors != old.descriptors:
        yield "descriptors"
    if new.command != old.command:
        yield "a new program"
    if seconds > 0 and (new.cpu - old.cpu) / seconds > BUSY:
        yield "CPU"


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
