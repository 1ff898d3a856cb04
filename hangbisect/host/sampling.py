"""Cheap counters of the tree: a few milliseconds of CPU time for a small one."""

import time
from collections.abc import Iterator, Mapping

from hangbisect.host._protocol import Question
from hangbisect.host.clocks import ticks_a_second
from hangbisect.host.netlink import INET, INET6, TCP, internet_sockets, opened
from hangbisect.host.networks import with_peers
from hangbisect.host.proc import Proc
from hangbisect.host.rows import cpu_nanoseconds
from hangbisect.host.stat import Stat, parse_status
from hangbisect.host.tree import tree_of
from hangbisect.model import ProcessPulse, Sample, ThreadPulse

_SOCKET = "socket:["


def sample(proc: Proc, question: Question) -> Sample:
    """Read the counters of all processes and threads of the tree now."""
    now = time.monotonic()
    tree = tree_of(proc, question)
    sockets = {pid: _open_sockets(proc, pid) for pid in tree}
    received, internal = _received({inode for inodes in sockets.values() for inode in inodes})
    return Sample(
        time=now,
        processes=tuple(
            _process(proc, pid, stat, _sum(received, sockets[pid]), _sum(internal, sockets[pid]))
            for pid, stat in tree.items()
        ),
        threads=tuple(pulse for pid in tree for pulse in _threads(proc, pid)),
    )


def _sum(counts: Mapping[int, int], inodes: tuple[int, ...]) -> int:
    return sum(counts.get(inode, 0) for inode in inodes)


def _process(proc: Proc, pid: int, stat: Stat, received: int, internal: int) -> ProcessPulse:
    moved = parse_io(proc.peek(f"{pid}/io"))
    return ProcessPulse(
        pid=pid,
        parent=stat.parent,
        began=stat.began,
        command=stat.command,
        state=stat.state,
        cpu=(stat.user + stat.system) / ticks_a_second(),
        minor_faults=stat.minor_faults,
        major_faults=stat.major_faults,
        read=moved.get("rchar", 0) + moved.get("read_bytes", 0),
        stored=moved.get("read_bytes", 0),
        written=moved.get("wchar", 0),
        received=received,
        internal=internal,
        descriptors=_count(proc, pid),
        foreground=stat.foreground,
        group=stat.group,
    )


def _threads(proc: Proc, pid: int) -> Iterator[ThreadPulse]:
    for tid in proc.threads(pid):
        folder = f"{pid}/task/{tid}"
        status = parse_status(proc.peek(f"{folder}/status"))
        if status.state == "?":
            continue
        yield ThreadPulse(
            pid=pid,
            tid=tid,
            state=status.state,
            call=proc.peek(f"{folder}/syscall").strip(),
            switches=status.switches,
            cpu=cpu_nanoseconds(proc, pid, tid),
        )


def parse_io(text: str) -> Mapping[str, int]:
    """Parse /proc/PID/io: proc_pid_io(5)."""
    pairs = (line.split(": ") for line in text.splitlines() if ": " in line)
    return {key: int(value) for key, value in pairs}


def _open_sockets(proc: Proc, pid: int) -> tuple[int, ...]:
    links = (proc.link(f"{pid}/fd/{fd}") for fd in _descriptors(proc, pid))
    return tuple({int(link[len(_SOCKET) : -1]) for link in links if link.startswith(_SOCKET)})


def _count(proc: Proc, pid: int) -> int:
    return len(_descriptors(proc, pid))


def _descriptors(proc: Proc, pid: int) -> tuple[int, ...]:
    try:
        return proc.numbers(f"{pid}/fd")
    except PermissionError:
        return ()


def _received(inodes: set[int]) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Count the bytes that each TCP socket received: from outside the tree, and from within it."""
    if not inodes:
        return {}, {}
    try:
        with opened() as connection:
            found = with_peers(
                each
                for family in (INET, INET6)
                for each in internet_sockets(connection, family, TCP, counters=True)
            )
    except OSError:  # no sock_diag here: bytes then show only as context switches
        return {}, {}
    ours = [each for each in found if each.inode in inodes and each.received is not None]
    return (
        {each.inode: each.received or 0 for each in ours if each.peer not in inodes},
        {each.inode: each.received or 0 for each in ours if each.peer in inodes},
    )
