"""The clocks of one look, and the times of system calls put on the target's own scale."""

import os
import sys
import time

from hangbisect.model._struct import Data

_REALTIME = 0
_MONOTONIC = 1
_BOOTTIME = 7
_NANOSECONDS = 1e9


class Clocks(Data, frozen=True, kw_only=True):
    """What each clock says at the same moment, in seconds, and where the target's zero is."""

    began: float
    """The target's start on the monotonic clock."""
    monotonic: float
    realtime: float
    boottime: float
    ticks: int = 100
    """Ticks of the system's clock in a second, for the times of /proc/PID/stat."""

    def deadline(self, clock: int, seconds: float) -> float | None:
        """Put an absolute time of one of the kernel's clocks on the target's scale."""
        now = {_REALTIME: self.realtime, _MONOTONIC: self.monotonic, _BOOTTIME: self.boottime}
        if clock not in now:
            return None
        return seconds - now[clock] + self.monotonic - self.began

    def start(self, ticks: int) -> float:
        """Put a process's start time, in ticks since the machine's start, on the target's scale."""
        return ticks / self.ticks - self.boottime + self.monotonic - self.began


def read_clocks(began: float) -> Clocks:
    """Read all clocks now."""
    if sys.platform != "linux":
        raise NotImplementedError(sys.platform)
    return Clocks(
        began=began,
        monotonic=time.clock_gettime(time.CLOCK_MONOTONIC),
        realtime=time.time(),
        boottime=time.clock_gettime(time.CLOCK_BOOTTIME),
        ticks=ticks_a_second(),
    )


def ticks_a_second() -> int:
    """Say how many ticks of /proc's clock make a second."""
    if sys.platform != "linux":
        raise NotImplementedError(sys.platform)
    return os.sysconf("SC_CLK_TCK")


def seconds(whole: int, nanoseconds: int) -> float:
    """Join the two halves of a timespec."""
    return whole + nanoseconds / _NANOSECONDS
