"""Which registers of a processor make up the state of a thread, as data, and how to read them.

Layouts: struct user_regs_struct and user_i387_struct (x86-64), user_pt_regs and user_fpsimd_state
(aarch64) of the kernel's asm/user.h and asm/ptrace.h. Left out are the flags, the segments and what
the kernel keeps for itself. Of wide vectors the lowest 128 bits are read.
"""

import ctypes
import errno

from hangbisect.host.ptrace import TraceError, request
from hangbisect.model._struct import Data

_GETREGSET = 0x4204
_GENERAL, _FLOATING = 1, 2
"""NT_PRSTATUS and NT_PRFPREG of elf.h."""


class Area(Data, frozen=True, kw_only=True):
    """One set of registers: its size in bytes, and the parts (begin, end) that matter."""

    kind: int
    size: int
    parts: tuple[tuple[int, int], ...]


_AREAS: dict[str, tuple[Area, ...]] = {
    "x86_64": (
        # r15 to rdi, rip, rsp; then x87 and xmm registers
        Area(kind=_GENERAL, size=27 * 8, parts=((0, 120), (128, 136), (152, 160))),
        Area(kind=_FLOATING, size=512, parts=((32, 416),)),
    ),
    "aarch64": (
        # x0 to x30, sp, pc; then v0 to v31
        Area(kind=_GENERAL, size=34 * 8, parts=((0, 264),)),
        Area(kind=_FLOATING, size=528, parts=((0, 512),)),
    ),
}


class _Vector(ctypes.Structure):
    """struct iovec."""

    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


def areas_of(machine: str) -> tuple[Area, ...]:
    """Return the register sets of a kind of processor, the general one first; none if unknown."""
    return _AREAS.get(machine, ())


def read_registers(tid: int, areas: tuple[Area, ...]) -> tuple[bytes, ...]:
    """Read the registers of a thread that stands still under our trace, set by set.

    Raises:
        TraceError: The kernel refused, or gave another layout (a 32-bit program).
    """
    return tuple(pick(_read(tid, area), area) for area in areas)


def pick(data: bytes, area: Area) -> bytes:
    """Take from a register set the parts that matter."""
    return b"".join(data[begin:end] for begin, end in area.parts)


def _read(tid: int, area: Area) -> bytes:
    buffer = ctypes.create_string_buffer(area.size)
    vector = _Vector(ctypes.addressof(buffer), area.size)
    request("PTRACE_GETREGSET", _GETREGSET, tid, area.kind, ctypes.addressof(vector))
    if vector.size != area.size:
        raise TraceError("PTRACE_GETREGSET", errno.EINVAL)
    return buffer.raw
