"""Which signals could end a thread's wait: those with a handler of the program's own."""

from hangbisect.model import Process, Thread

NAMES = (
    *("HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2"),
    *("PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG"),
    *("XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"),
)
"""Linux's signals by number from 1 on (signal(7); x86, ARM): a snapshot is read elsewhere too."""

OF_EVERY_PYTHON = ("INT",)
FATAL = ("ILL", "ABRT", "BUS", "FPE", "SEGV")
"""faulthandler's: after them the process ends."""
OF_THE_LIBC = (32, 33)
"""glibc's own: cancelling a thread and setting ids in all of them (nptl)."""


def _bit(number: int) -> int:
    return 1 << (number - 1)


APART = sum(_bit(NAMES.index(name) + 1) for name in (*OF_EVERY_PYTHON, *FATAL)) | sum(
    _bit(number) for number in OF_THE_LIBC
)
"""Mask of the signals whose handler ends no wait."""


def handled(thread: Thread, process: Process | None) -> tuple[str, ...]:
    """Name the signals whose handler the thread would run: caught, and not blocked by it."""
    if process is None:
        return ()
    mask = process.caught & ~APART & ~thread.blocked
    return tuple(signal_name(number) for number in range(1, 65) if mask & _bit(number))


def signal_name(number: int) -> str:
    """Name a signal of Linux: "SIGALRM"; "signal 40" for those without a name."""
    known = 1 <= number <= len(NAMES)
    return f"SIG{NAMES[number - 1]}" if known else f"signal {number}"
