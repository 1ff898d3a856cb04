"""Which libraries lie on a blocked thread's native stack, without stopping it and without symbols.

A word on the stack that points behind a call instruction in an executable file mapping is taken for
a return address. That is a heuristic: stale words of earlier calls may appear further out.
"""

import platform
import struct
from collections.abc import Iterator

from hangbisect.host.call_code import LONGEST, is_after_call
from hangbisect.host.maps import Maps, Read, file_of, parse_maps
from hangbisect.host.memory import memory_of
from hangbisect.host.proc import Proc
from hangbisect.host.stat import parse_stat
from hangbisect.model import Thread

_LIMIT = 64 * 1024
"""Bytes of stack that are scanned, from the stack pointer outwards."""
_PROC = Proc()


def sleepers(pid: int) -> Iterator[Thread]:
    """Give the libraries on the stack of each thread of the process that sleeps in a system call.

    Threads that may not be read are left out: the look at their calls says why.
    """
    maps: Maps | None = None
    for tid in _PROC.threads(pid):
        stat = parse_stat(_PROC.peek(f"{pid}/task/{tid}/stat"))
        words = _PROC.peek(
            f"{pid}/task/{tid}/syscall"
        ).split()  # "running", or NR 6 arguments SP PC
        if stat is None or stat.state != "S" or len(words) < 3:
            continue
        maps = maps or _maps(pid, tid)
        if found := libraries(pid, tid, int(words[-2], 16), maps):
            yield Thread(pid=pid, tid=tid, libraries=found)


def libraries(pid: int, tid: int, sp: int, maps: Maps | None = None) -> tuple[str, ...]:
    """List the libraries on the thread's stack, innermost first, no name twice in a row.

    Args:
        pid: The process.
        tid: The thread. Its own files are read, for the process's first thread may have ended.
        sp: Its stack pointer, the last but one word of /proc/PID/task/TID/syscall.
        maps: What the process has mapped, if that was read already.

    Returns:
        Paths as the process has them mapped; empty if its memory cannot be read.
    """
    try:
        with memory_of(_PROC, pid, tid) as read:
            return scan(maps or _maps(pid, tid), read, sp, platform.machine())
    except PermissionError:
        return ()


def _maps(pid: int, tid: int) -> Maps:
    return Maps(mappings=parse_maps(_PROC.peek(f"{pid}/task/{tid}/maps")))


def scan(maps: Maps, read: Read, sp: int, machine: str) -> tuple[str, ...]:
    """List the files that the return addresses on a stack lie in."""
    stack = maps.at(sp)
    if stack is None:
        return ()
    data = read(sp, min(stack.end - sp, _LIMIT))
    found: list[str] = []
    for (word,) in struct.iter_unpack("<Q", data[: len(data) // 8 * 8]):
        path = _returns_into(maps, read, word, machine)
        if path is not None and found[-1:] != [path]:
            found.append(path)
    return tuple(found)


def _returns_into(maps: Maps, read: Read, word: int, machine: str) -> str | None:
    """Name the file whose code the word is a return address of. None: it is none."""
    mapping = maps.at(word)
    if mapping is None or "x" not in mapping.rights or not mapping.path.startswith("/"):
        return None
    before = min(LONGEST, word - mapping.start)
    if not is_after_call(read(word - before, before), word, machine):
        return None
    return file_of(mapping.path)
