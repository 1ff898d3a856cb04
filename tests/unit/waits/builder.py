"""Makes small snapshots by hand. Threads are still, unless a test says otherwise."""

from collections.abc import Sequence
from typing import Any

from hangbisect.model import (
    Call,
    Descriptor,
    Frame,
    Local,
    Process,
    Snapshot,
    System,
    Thread,
    ThreadRef,
    Word,
)
from hangbisect.waits import Reading, Wait, read

PID = 100
SYSTEM = System(platform="linux", machine="x86_64")


def ref(tid: int, pid: int = PID) -> ThreadRef:
    return ThreadRef(pid=pid, tid=tid)


def whole(pid: int) -> ThreadRef:
    return ThreadRef(pid=pid, tid=0)


def process(pid: int = PID, parent: int = 1, **fields: Any) -> Process:
    fields.setdefault("state", "S")
    fields.setdefault("argv", ("/bin/program", str(pid)))
    return Process(pid=pid, parent=parent, **fields)


def thread(tid: int = PID, call: Call | None = None, pid: int = PID, **fields: Any) -> Thread:
    fields.setdefault("state", "S")
    fields.setdefault("still", True)
    return Thread(pid=pid, tid=tid, call=call, **fields)


def futex(private: bool = True, timed: bool = False, **fields: Any) -> Call:
    interval = fields.pop("interval", None)
    fields.setdefault("address", 0x7F00)
    fields.setdefault("expected", 0)
    word = Word(private=private, **fields)
    return Call(name="futex", word=word, timed=timed, interval=interval)


def joining(tid: int) -> Call:
    return futex(private=False, expected=tid, joins=tid)


def owned(tid: int, **fields: Any) -> Call:
    return futex(expected=2, owner=tid, values=(2, 1, tid, 1), **fields)


def on(name: str, *fds: int, **fields: Any) -> Call:
    return Call(name=name, descriptors=fds, **fields)


def wait_for(child: int | None) -> Call:
    return Call(name="wait4", child=child)


def running(tid: int = PID, pid: int = PID, **fields: Any) -> Thread:
    return thread(tid, Call(name="running"), pid, state="R", still=False, **fields)


def sleeping(tid: int = PID, pid: int = PID, interval: float = 60.0, **fields: Any) -> Thread:
    call = Call(name="clock_nanosleep", timed=True, interval=interval, deadline=99.0)
    return thread(tid, call, pid, **fields)


def pipe(fd: int, mode: Any, pid: int = PID, inode: int = 4711, **fields: Any) -> Descriptor:
    fields.setdefault("kind", "pipe")
    fields.setdefault("target", f"pipe:[{inode}]")
    return Descriptor(pid=pid, fd=fd, mode=mode, inode=inode, **fields)


def socket_fd(fd: int, inode: int, pid: int = PID, **fields: Any) -> Descriptor:
    return Descriptor(
        pid=pid, fd=fd, kind="socket", target=f"socket:[{inode}]", inode=inode, mode="rw", **fields
    )


def frame(function: str, file: str = "/app/run.py", line: int = 3, *own: Local) -> Frame:
    return Frame(function=function, file=file, line=line, locals=own)


def me(address: int, of: str = "Thread") -> Local:
    return Local(name="self", type=of, address=address)


def text(name: str, value: str) -> Local:
    return Local(name=name, type="str", text=value)


def snapshot(threads: Sequence[Thread], **tables: Any) -> Snapshot:
    """Make a snapshot; a process that has no row and no `processes` was given gets a plain one."""
    pids = dict.fromkeys([PID, *(row.pid for row in threads)])
    tables.setdefault("processes", tuple(process(pid) for pid in pids))
    tables.setdefault("root", PID)
    return Snapshot(system=SYSTEM, threads=tuple(threads), **tables)


def reading(*threads: Thread, **tables: Any) -> Reading:
    return read(snapshot(threads, **tables))


def wait(*threads: Thread, **tables: Any) -> Wait:
    """Return the wait of the first thread."""
    first = threads[0]
    return reading(*threads, **tables).waits[ref(first.tid, first.pid)]
