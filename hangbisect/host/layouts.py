"""How C libraries lay out their locks in memory, as data: glibc and musl, x86-64 and aarch64.

A layout is chosen by what is mapped. Where none fits, nothing is claimed about a word.
Sources: sysdeps/nptl/bits/struct_mutex.h and nptl/descr.h in glibc, pthread_impl.h in musl.
"""

import re
from collections.abc import Iterable

from hangbisect.host.maps import name_of
from hangbisect.model._struct import Data

_GLIBC = re.compile(r"libc(-2\.\d+)?\.so(\.6)?")
_MUSL = re.compile(r"(ld-musl|libc\.musl)-.*")


class Layout(Data, frozen=True, kw_only=True):
    """Offsets in bytes from the word that a thread waits on. All words are 32 bits wide."""

    libc: str
    waited: int | None = None
    """Value of a contended lock, where a lock has one fixed value."""
    owner: int | None = None
    """Where the owner's thread id stands; None: in the lock word itself."""
    users: int | None = None
    """Where the count of users stands: at least one while the mutex is held."""
    kind: int
    """Where the kind of mutex stands."""
    kinds: int
    """Mask of the kind's bits that tell mutexes apart."""
    thread_tid: int | None = None
    """Offset of the thread id in the thread's descriptor."""
    thread_self: int | None = None
    """Offset of the descriptor's pointer to itself."""
    join_by_tid: bool = False
    """A join waits until the joined thread's id is cleared by the kernel."""


_GLIBC_MUTEX = Layout(
    libc="glibc",
    waited=2,
    owner=8,
    users=12,
    kind=16,
    kinds=0x7F,
    join_by_tid=True,
)
_MUSL_MUTEX = Layout(libc="musl", kind=-4, kinds=0xF)

_LAYOUTS = {
    ("glibc", "x86_64"): Layout(
        libc="glibc",
        waited=2,
        owner=8,
        users=12,
        kind=16,
        kinds=0x7F,
        thread_tid=720,
        thread_self=16,
        join_by_tid=True,
    ),
    ("glibc", "aarch64"): _GLIBC_MUTEX,
    ("musl", "x86_64"): _MUSL_MUTEX,
    ("musl", "aarch64"): _MUSL_MUTEX,
}


def libc_of(paths: Iterable[str]) -> str:
    """Name the C library among the mapped files: "glibc", "musl", or "" if unknown."""
    names = {name_of(path) for path in paths}
    musl = any(_MUSL.fullmatch(name) for name in names)
    glibc = any(_GLIBC.fullmatch(name) for name in names)
    if musl == glibc:
        return ""
    return "musl" if musl else "glibc"


def is_libc(path: str) -> bool:
    """Is this mapped file the C library?"""
    return bool(_GLIBC.fullmatch(name_of(path)) or _MUSL.fullmatch(name_of(path)))


def layout_of(libc: str, machine: str) -> Layout | None:
    """Choose a layout; None if this library on this machine is not known."""
    return _LAYOUTS.get((libc, machine))
