"""What a futex word stands for: which memory it lies in, who owns it, whose end it announces."""

import re
import struct
from collections.abc import Collection

from hangbisect.host.layouts import Layout, is_libc
from hangbisect.host.maps import Maps, Read, file_of, name_of
from hangbisect.model import Word
from hangbisect.model._struct import Data
from hangbisect.model.thread import Region

_WORDS = 16
_LOADER = re.compile(r"(ld|ld-.*|ld64)\.so(\.\d+)?|ld-\d.*\.so")
_PYTHON_LIBRARY = re.compile(r"libpython\d.*\.so.*|libpypy.*\.so.*")
_PYTHON_PROGRAM = re.compile(r"(python|pypy)[\d.]*[a-z]?")
_SEMAPHORE = re.compile(r"/dev/shm/sem\.[^/]*")
_WAITERS = 0x8000_0000
"""Bit of a lock word that holds its owner's thread id: FUTEX_WAITERS, futex(2)."""
_TID = 0x3FFF_FFFF
_BUSY = 16
"""musl: an owned mutex that does not record its owner."""
_ROBUST = 0x10
_SHARED_KIND = 0x80
_MOST_USERS = 1 << 20


class Wait(Data, frozen=True, kw_only=True):
    """A futex call, as far as its arguments say it."""

    address: int
    expected: int
    private: bool
    """The private flag is set."""
    inherits: bool = False
    """A lock with priority inheritance: by the kernel's rule the word holds the owner's id."""


class Place(Data, frozen=True, kw_only=True):
    """The process that a word lies in."""

    maps: Maps
    executable: str
    loader: str = ""
    """The dynamic loader's file; "" if there is none, or it is the C library itself."""
    layout: Layout | None = None
    stacks: tuple[int, ...] = ()
    """Stack pointers of its threads."""
    tids: frozenset[int] = frozenset()
    """Its threads, by the ids that it knows them by."""
    kin: frozenset[int] = frozenset()
    """Threads of its parent process too: a fork copies locks with their owners."""


def read_word(wait: Wait, place: Place, read: Read) -> Word:
    """Say all that can be known of the word that a thread waits on."""
    values = _values(read(wait.address, 4 * _WORDS))
    region, path = region_of(wait.address, place)
    mapping = place.maps.at(wait.address)
    return Word(
        address=wait.address,
        expected=wait.expected,
        values=values,
        private=wait.private or (mapping is not None and mapping.rights.endswith("p")),
        region=region,
        path=path,
        owner=owner_of(wait, values, place, read),
        joins=joined_by(wait, values, place, read),
    )


def region_of(address: int, place: Place) -> tuple[Region, str]:
    """Classify an address; with it the file it belongs to, "" if none."""
    mapping = place.maps.at(address)
    if mapping is None:
        return "unknown", ""
    path = file_of(mapping.path)
    if _SEMAPHORE.fullmatch(path):
        return "semaphore", path
    if mapping.rights.endswith("s"):
        return "shared", path
    image = place.maps.image_at(address)
    if image is not None:
        return _image_region(file_of(image.path), place), file_of(image.path)
    if path.startswith("/"):
        return "library", path
    return _anonymous_region(path, address, place), ""


def is_interpreter(path: str, executable: str, maps: Maps) -> bool:
    """Is this loaded file the Python interpreter: its library, or a static executable?"""
    if _PYTHON_LIBRARY.fullmatch(name_of(path)):
        return True
    if path != executable or not _PYTHON_PROGRAM.fullmatch(name_of(executable)):
        return False
    return not any(_PYTHON_LIBRARY.fullmatch(name_of(image.path)) for image in maps.images)


def owner_of(wait: Wait, values: tuple[int, ...], place: Place, read: Read) -> int | None:
    """Name the owner of the mutex that a thread waits for; None if it is no mutex we know.

    A condition variable, a semaphore or somebody's own lock can hold the same number in its first
    word. So all of a mutex must fit: a user count, a known kind, and an owner that is a thread.
    """
    if not values:
        return None
    if wait.inherits:
        return values[0] & _TID or None
    if place.layout is None or values[0] != wait.expected:
        return None
    if place.layout.owner is None:
        return _owner_in_word(wait, place, read)
    return _owner_beside(wait, values, place.layout, place.tids | place.kin)


def joined_by(wait: Wait, values: tuple[int, ...], place: Place, read: Read) -> int | None:
    """Name the thread whose end the word announces; None if this is not a native join.

    The kernel clears and wakes the word of a thread that ends, without the private flag.
    """
    layout = place.layout
    if layout is None or not layout.join_by_tid or wait.private or wait.expected == 0:
        return None
    if not values or values[0] != wait.expected:
        return None
    known = wait.expected in place.tids
    return wait.expected if known or _is_descriptor(wait.address, layout, read) else None


def _values(data: bytes) -> tuple[int, ...]:
    count = len(data) // 4
    return struct.unpack_from(f"<{count}I", data)


def _image_region(path: str, place: Place) -> Region:
    if path == place.loader and not is_libc(path):
        return "loader"
    if is_libc(path):
        return "libc"
    if not place.loader and _LOADER.fullmatch(name_of(path)):
        return "loader"
    return "interpreter" if is_interpreter(path, place.executable, place.maps) else "library"


def _anonymous_region(path: str, address: int, place: Place) -> Region:
    if path == "[heap]":
        return "heap"
    mapping = place.maps.at(address)
    on_stack = any(place.maps.at(pointer) == mapping for pointer in place.stacks)
    return "stack" if path.startswith("[stack") or on_stack else "anonymous"


def _owner_beside(
    wait: Wait, values: tuple[int, ...], layout: Layout, known: Collection[int]
) -> int | None:
    if layout.owner is None or layout.users is None or len(values) * 4 <= layout.kind:
        return None
    owner, users, kind = (values[at // 4] for at in (layout.owner, layout.users, layout.kind))
    robust = bool(kind & _ROBUST) and wait.expected & _WAITERS
    holds = wait.expected & _TID == owner if robust else wait.expected == layout.waited
    fits = (
        1 <= users < _MOST_USERS
        and kind & layout.kinds & ~_ROBUST <= 3
        and kind >> 16 == 0
        and bool(kind & _SHARED_KIND) != wait.private
    )
    return owner if holds and fits and owner in known else None


def _owner_in_word(wait: Wait, place: Place, read: Read) -> int | None:
    owner = wait.expected & _TID
    if place.layout is None or not wait.expected & _WAITERS or owner == _BUSY:
        return None
    kind = _values(read(wait.address + place.layout.kind, 4))
    owned = bool(kind) and 0 < kind[0] & place.layout.kinds <= 3
    return owner if owned and owner in place.tids else None


def _is_descriptor(address: int, layout: Layout, read: Read) -> bool:
    """Is the word the id within a thread's descriptor, even if that thread is no more?"""
    if layout.thread_tid is None or layout.thread_self is None:
        return False
    start = address - layout.thread_tid
    return read(start + layout.thread_self, 8) == struct.pack("<Q", start & 0xFFFF_FFFF_FFFF_FFFF)
