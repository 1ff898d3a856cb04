"""Lines of the kernel's log that say how a process died. Pure.

What they look like: mm/oom_kill.c (`__oom_kill_process`), arch/x86/mm/fault.c
(`show_signal_msg`), arch/x86/kernel/traps.c (`show_signal`) of Linux.
"""

import re
from collections.abc import Iterable

from hangbisect.model import KernelWord

_MEMORY = re.compile(r"[Oo]ut of memory.*: Kill(?:ed)? process (?P<pid>\d+)\b")
_OLDER = re.compile(r"Killed process (?P<pid>\d+) \(.*\),? .*total-vm:")
_FAULT = re.compile(
    r"(?:traps: )?.{1,16}\[(?P<pid>\d+)\]:? (?:segfault at|trap |general protection|bad frame)"
)
_WHERE = re.compile(
    r" in (?P<library>\S+?)\[(?:(?P<offset>[0-9a-f]+),)?(?P<start>[0-9a-f]+)\+[0-9a-f]+\]"
)
_ADDRESS = re.compile(r" ip:?\s*(?P<ip>[0-9a-f]+)")
_LONGEST = 300


def kernel_words(lines: Iterable[str]) -> tuple[KernelWord, ...]:
    """Read the deaths that the lines tell of."""
    return tuple(word for line in lines if (word := _word(line)) is not None)


def _word(line: str) -> KernelWord | None:
    text = line[:_LONGEST]
    if match := _MEMORY.search(text) or _OLDER.search(text):
        return KernelWord(pid=int(match["pid"]), about="memory", text=text)
    if match := _FAULT.match(text):
        where = _WHERE.search(text)
        return KernelWord(
            pid=int(match["pid"]),
            about="fault",
            text=text,
            library=where["library"] if where else "",
            offset=_offset(text, where) if where else None,
        )
    return None


def _offset(text: str, where: re.Match[str]) -> int | None:
    """Return where in the file: as the line says, or, up to Linux 6.3, counted from its mapping."""
    if where["offset"]:
        return int(where["offset"], 16)
    address = _ADDRESS.search(text)
    return int(address["ip"], 16) - int(where["start"], 16) if address else None
