"""Rows of processes and threads: what stat, status, wchan and the call tell at once."""

import re
import signal
import sys
from collections.abc import Mapping

import msgspec

from hangbisect.host.calls import EPOLLS
from hangbisect.host.clocks import Clocks
from hangbisect.host.descriptors import watched_by
from hangbisect.host.fdinfo import parse_fdinfo
from hangbisect.host.line import Line, first_call, parse_line, signed
from hangbisect.host.maps import file_of, name_of
from hangbisect.host.origin import owner
from hangbisect.host.proc import Proc
from hangbisect.host.stat import Stat, Status, count_timers, parse_stat, parse_status
from hangbisect.model import Call, Process, Thread
from hangbisect.model._struct import Data

_PYTHON_FILE = re.compile(r"(?:lib)?(?:python|pypy)(\d\.\d+)[a-z]*(?:[-.].*)?")
_EXTENSION = re.compile(r".*\.cpython-3(\d+)[a-z]*-.*\.so")
_NANOSECONDS = 1e9
_PTY_MAJORS = range(136, 144)
_CONSOLE_MAJOR, _FIRST_SERIAL = 4, 64


class Glance(Data, frozen=True, kw_only=True):
    """A thread as far as it can be seen without its process's memory."""

    pid: int
    tid: int
    line: Line
    inner: int
    """Its id in its own pid namespace."""
    refused: bool = False
    """Its call may not be read."""
    row: Thread


def glance(proc: Proc, names: Mapping[int, str], pid: int, tid: int) -> Glance | None:
    """Look at one thread; None if it has ended."""
    folder = f"{pid}/task/{tid}"
    stat = parse_stat(proc.peek(f"{folder}/stat"))
    if stat is None:
        return None
    status = parse_status(proc.peek(f"{folder}/status"))
    text, refused = _call_text(proc, f"{folder}/syscall")
    line = parse_line(text, names)
    return Glance(
        pid=pid,
        tid=tid,
        line=line,
        inner=status.inner or tid,
        refused=refused,
        row=_thread(pid, tid, stat, status, proc, _call(proc, pid, line)),
    )


def process_row(
    proc: Proc, pid: int, stat: Stat, clocks: Clocks, *, inside: bool = True
) -> Process:
    """Describe a process by its stat and status."""
    text = proc.peek(f"{pid}/status")
    status = parse_status(text)
    executable = file_of(proc.link(f"{pid}/exe"))
    return Process(
        pid=pid,
        parent=stat.parent,
        inside=inside,
        began=clocks.start(stat.began),
        executable=executable,
        state=stat.state,
        python=python_version((executable,)),
        owner=owner(text),
        group=stat.group,
        session=stat.session,
        terminal=stat.terminal,
        terminal_name=terminal_name(stat.terminal),
        foreground=stat.foreground,
        caught=status.caught,
        ignored=status.ignored,
        pending=status.pending,
        timers=count_timers(proc.peek(f"{pid}/timers")),
        tracer=status.tracer,
        exit_status=stat.exit_status if stat.state == "Z" else None,
    )


def arguments(proc: Proc, pid: int) -> tuple[str, ...]:
    """Read a command line. May block for ever on a sick process."""
    text = proc.peek(f"{pid}/cmdline")
    return tuple(text.removesuffix("\0").split("\0")) if text else ()


def python_version(paths: tuple[str, ...]) -> str:
    """Tell the Python version from mapped files: "3.11", "" if none says it.

    The interpreter's library or program is asked first; an extension's name is the next best.
    """
    for path in paths:
        match = _PYTHON_FILE.fullmatch(name_of(path))
        if match is not None:
            return match[1]
    for path in paths:
        match = _EXTENSION.fullmatch(name_of(path))
        if match is not None:
            return f"3.{match[1]}"
    return ""


def terminal_name(number: int) -> str:
    """Name a terminal by the kernel's packed device number; "" if it has no name here."""
    major, minor = number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00
    if major in _PTY_MAJORS:
        return f"/dev/pts/{(major - _PTY_MAJORS.start) * 256 + minor}"
    if major == _CONSOLE_MAJOR:
        serial = minor >= _FIRST_SERIAL
        return f"/dev/ttyS{minor - _FIRST_SERIAL}" if serial else f"/dev/tty{minor}"
    return ""


def signal_name(number: int) -> str:
    """Name a signal: "SIGKILL", "SIGRTMIN+3", or its number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        pass
    if sys.platform == "linux" and signal.SIGRTMIN < number <= signal.SIGRTMAX:
        return f"SIGRTMIN+{number - signal.SIGRTMIN}"
    return str(number)


def _call_text(proc: Proc, path: str) -> tuple[str, bool]:
    try:
        return proc.read(path), False
    except PermissionError:
        return "", True


def _call(proc: Proc, pid: int, line: Line) -> Call:
    call = first_call(line)
    if line.name not in EPOLLS:
        return call
    info = parse_fdinfo(proc.peek(f"{pid}/fdinfo/{signed(line.arguments[0])}"))
    return msgspec.structs.replace(call, descriptors=watched_by(proc, pid, info))


def _thread(pid: int, tid: int, stat: Stat, status: Status, proc: Proc, call: Call) -> Thread:
    wchan = proc.peek(f"{pid}/task/{tid}/wchan").strip()
    return Thread(
        pid=pid,
        tid=tid,
        name=stat.command,
        state=stat.state,
        call=None if stat.state in "ZX" else call,
        switches=status.switches,
        cpu=cpu_time(proc, pid, tid),
        wchan="" if wchan == "0" else wchan,
        blocked=status.blocked,
    )


def cpu_time(proc: Proc, pid: int, tid: int) -> float | None:
    """Read a thread's CPU time in seconds, exact to the nanosecond."""
    nanoseconds = cpu_nanoseconds(proc, pid, tid)
    return None if nanoseconds is None else nanoseconds / _NANOSECONDS


def cpu_nanoseconds(proc: Proc, pid: int, tid: int) -> int | None:
    """Read a thread's CPU time from schedstat; None where the kernel does not count it."""
    fields = proc.peek(f"{pid}/task/{tid}/schedstat").split()
    return int(fields[0]) if len(fields) == 3 else None
