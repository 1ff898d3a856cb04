"""A line of /proc/PID/task/TID/syscall, and what its arguments say without the process's memory."""

import struct
from collections.abc import Mapping

from hangbisect.host.calls import EPOLLS, LIMITS, READS, WRITES
from hangbisect.model import Call
from hangbisect.model._struct import Data

_HIGHEST_32_BIT = 0xFFFF_FFFF
_P_ALL, _P_PID, _P_PGID = 0, 1, 2
"""waitid(2)."""
_MILLISECONDS = 1000


class Line(Data, frozen=True, kw_only=True):
    """A thread's own account of where it is in the kernel, proc_pid_syscall(5)."""

    name: str
    """As in `Call.name`."""
    arguments: tuple[int, ...] = ()
    stack: int = 0
    """Its stack pointer; 0 while it runs."""


def parse_line(text: str, names: Mapping[int, str]) -> Line:
    """Parse a syscall line. A 32-bit program has numbers of its own: its calls stay unnamed."""
    fields = text.split()
    if fields == ["running"] or (len(fields) == 3 and fields[0] == "-1"):
        return Line(name="running", stack=int(fields[1], 16) if len(fields) == 3 else 0)
    if len(fields) != 9:
        return Line(name="")
    number, *words = int(fields[0]), *(int(field, 16) for field in fields[1:])
    arguments, stack = tuple(words[:6]), words[6]
    if stack <= _HIGHEST_32_BIT:
        return Line(name="", stack=stack)
    return Line(name=names.get(number, f"call_{number}"), arguments=arguments, stack=stack)


def first_call(line: Line) -> Call:
    """Say what the arguments alone tell: descriptors, child, plain time limits."""
    return Call(
        name=line.name,
        arguments=line.arguments,
        descriptors=_descriptors(line),
        writes=line.name in WRITES and line.name not in READS,
        child=_child(line),
        timed=_is_timed(line),
        interval=_plain_interval(line),
    )


def signed(argument: int) -> int:
    """Read the lower half of an argument as the C int that it is."""
    value: int = struct.unpack("<i", struct.pack("<I", argument & _HIGHEST_32_BIT))[0]
    return value


def _descriptors(line: Line) -> tuple[int, ...]:
    if line.name in EPOLLS:
        return ()
    indices = dict.fromkeys(table[line.name] for table in (READS, WRITES) if line.name in table)
    return tuple(signed(line.arguments[index]) for index in indices)


def _child(line: Line) -> int | None:
    if line.name == "wait4":
        return signed(line.arguments[0])
    if line.name != "waitid":
        return None
    kind, who = signed(line.arguments[0]), signed(line.arguments[1])
    return {_P_ALL: -1, _P_PID: who, _P_PGID: -who}.get(kind)


def _is_timed(line: Line) -> bool:
    if line.name in ("restart_syscall", "clock_nanosleep", "nanosleep"):
        return True
    limit = LIMITS.get(line.name)
    if limit is None:
        return False
    value = line.arguments[limit.argument]
    return signed(value) >= 0 if limit.unit == "milliseconds" else value != 0


def _plain_interval(line: Line) -> float | None:
    limit = LIMITS.get(line.name)
    if limit is None or limit.unit != "milliseconds" or not _is_timed(line):
        return None
    return signed(line.arguments[limit.argument]) / _MILLISECONDS
