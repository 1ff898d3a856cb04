"""A program that reads the same few bytes each time it wakes: it tries again, and gets nowhere.

Whoever connects again and again reads the file of hosts before each try, and a connection that is
refused moves nothing else.
"""

import platform

from hangbisect.host.call_names import names_of
from hangbisect.model import ProcessPulse, Sample

SMALL = 4096
"""Bytes beyond which a read is no mere look."""
APART = 2.0
"""Seconds between two tries; what reads more often reads on."""
KNOWN = 3
"""How often the same was read before it is known as a repetition."""
SLEEPS = ("nanosleep", "clock_nanosleep", "restart_syscall")
"""The last is what a sleep becomes that we have listened to."""
Reads = tuple[tuple[int, int, int], ...]
"""Pid, start and bytes of each process that read."""


class Echo:
    """Keep what was read the last times, while reading is all that moved."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin again: something else moved."""
        self._reads: Reads = ()
        self._times = 0
        self._last = 0.0

    def is_one(self, before: Sample, after: Sample) -> bool:
        """Tell whether what was read between two samples is what was read each time before.

        Call it where reading is all that moved.
        """
        reads, again = reads_between_sleeps(before, after), after.time - self._last >= APART
        same = bool(reads) and reads == self._reads and again
        self._times = self._times + 1 if same else 1
        self._reads, self._last = reads, after.time
        return self._times > KNOWN


def reads_between_sleeps(before: Sample, after: Sample) -> Reads:
    """Say what was read; nothing if it was much, from a connection, or by what does not sleep."""
    old = {(p.pid, p.began): p for p in before.processes}
    pairs = [(old[key], p) for p in after.processes if (key := (p.pid, p.began)) in old]
    grown = [(one, other) for one, other in pairs if other.read != one.read]
    if not all(_is_a_look(one, other) and _sleeps(other, before, after) for one, other in grown):
        return ()
    return tuple((p.pid, p.began, p.read - one.read) for one, p in grown)


def _is_a_look(old: ProcessPulse, new: ProcessPulse) -> bool:
    return 0 < new.read - old.read <= SMALL and new.received == old.received


def _sleeps(process: ProcessPulse, before: Sample, after: Sample) -> bool:
    """Tell whether the main thread is in a timed sleep in both samples."""
    calls = [
        thread.call
        for sample in (before, after)
        for thread in sample.threads
        if thread.pid == thread.tid == process.pid
    ]
    return bool(calls) and all(map(is_sleep, calls))


def is_sleep(line: str) -> bool:
    """Tell whether a line of /proc/PID/task/TID/syscall is that of a sleep of a known length."""
    number = line.split(maxsplit=1)[0] if line else ""
    return number.isdigit() and names_of(platform.machine()).get(int(number)) in SLEEPS
