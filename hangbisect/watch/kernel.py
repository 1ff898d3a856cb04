"""The Linux calls that Python's library lacks: prctl and signalfd."""

import ctypes
import os
import sys
from collections.abc import Iterable
from enum import IntEnum

_SIGSET_WORDS = 16
"""sigset_t is 128 bytes in glibc and musl on 64-bit machines; the kernel reads its first 8."""
_WORD_BITS = 8 * ctypes.sizeof(ctypes.c_ulong)


class Option(IntEnum):
    """Options of prctl(2), from linux/prctl.h."""

    PARENT_DEATH_SIGNAL = 1
    DUMPABLE = 4
    NAME = 15
    SUBREAPER = 36
    IS_SUBREAPER = 37


def control(option: Option, value: int) -> None:
    """Set an attribute of this process.

    Raises:
        OSError: The kernel refused, or knows no such option.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.prctl(int(option), ctypes.c_ulong(value), 0, 0, 0))


def name_this(name: str) -> None:
    """Give this process a name of at most 15 bytes, as `ps` and `pkill` without -f see it."""
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.prctl(int(Option.NAME), name.encode(), 0, 0, 0))


def is_subreaper() -> bool:
    """Tell whether orphans below this process come to it."""
    libc = ctypes.CDLL(None, use_errno=True)
    answer = ctypes.c_int()
    _check(libc.prctl(int(Option.IS_SUBREAPER), ctypes.byref(answer), 0, 0, 0))
    return bool(answer.value)


def signal_descriptor(numbers: Iterable[int]) -> int:
    """Open a descriptor, non-blocking and close-on-exec, that reads these blocked signals."""
    if sys.platform == "win32":
        raise NotImplementedError
    libc = ctypes.CDLL(None, use_errno=True)
    words = (ctypes.c_ulong * _SIGSET_WORDS)()
    for number in numbers:
        words[(number - 1) // _WORD_BITS] |= 1 << ((number - 1) % _WORD_BITS)
    flags = os.O_CLOEXEC | os.O_NONBLOCK
    return _check(libc.signalfd(-1, ctypes.byref(words), flags))


def _check(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer
