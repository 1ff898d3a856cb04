"""/proc/PID/stat and /proc/PID/status, parsed: proc_pid_stat(5), proc_pid_status(5)."""

from collections.abc import Mapping
from typing import cast, get_args

from hangbisect.model import State
from hangbisect.model._struct import Data

_STATES = frozenset(get_args(State))


class Stat(Data, frozen=True, kw_only=True):
    """A line of stat. Times are in ticks of the system's clock."""

    command: str
    state: State
    parent: int
    group: int
    session: int
    terminal: int
    """Device number of the controlling terminal in the kernel's own packing, 0 if none."""
    foreground: int
    minor_faults: int
    major_faults: int
    user: int
    system: int
    began: int
    """Since the machine's start."""
    exit_status: int
    """0 too where it may not be seen."""


class Status(Data, frozen=True, kw_only=True):
    """The fields of status that matter here. Signal masks: bit 0 is signal 1."""

    state: State = "?"
    tracer: int = 0
    switches: int | None = None
    blocked: int = 0
    pending: int = 0
    ignored: int = 0
    caught: int = 0
    inner: int = 0
    """The id that the thread has within its own pid namespace; 0 if not told."""


def parse_stat(text: str) -> Stat | None:
    """Parse a stat line; None if it is torn. A command may hold spaces and parentheses."""
    begin, end = text.find("("), text.rfind(")")
    fields = text[end + 1 :].split()
    if begin < 0 or end < begin or len(fields) < 20:
        return None
    number = [int(field) for field in fields[1:]]
    return Stat(
        command=text[begin + 1 : end],
        state=_state(fields[0]),
        parent=number[0],
        group=number[1],
        session=number[2],
        terminal=number[3],
        foreground=number[4],
        minor_faults=number[6],
        major_faults=number[8],
        user=number[10],
        system=number[11],
        began=number[18],
        exit_status=number[48] if len(number) > 48 else 0,
    )


def parse_status(text: str) -> Status:
    """Parse a status file; what is missing in it keeps its default."""
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    switches = fields.get("voluntary_ctxt_switches")
    inner = fields.get("NSpid", "").split()
    return Status(
        state=_state(fields.get("State", "?").strip()[:1]),
        tracer=int(fields.get("TracerPid", "0")),
        switches=None if switches is None else int(switches),
        blocked=_mask(fields, "SigBlk"),
        pending=_mask(fields, "SigPnd") | _mask(fields, "ShdPnd"),
        ignored=_mask(fields, "SigIgn"),
        caught=_mask(fields, "SigCgt"),
        inner=int(inner[-1]) if inner else 0,
    )


def count_timers(text: str) -> int:
    """Count in /proc/PID/timers the POSIX timers that send a signal, set or not."""
    pairs = (line.partition(":") for line in text.splitlines())
    ways = (value.strip() for key, _, value in pairs if key == "notify")
    return sum(not way.startswith("none") for way in ways)


def _state(letter: str) -> State:
    return cast(State, letter) if letter in _STATES else "?"


def _mask(fields: Mapping[str, str], name: str) -> int:
    return int(fields.get(name, "0").strip() or "0", 16)
