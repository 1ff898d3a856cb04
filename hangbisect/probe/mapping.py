"""A file of fixed size in memory that leaves no descriptor behind in the target."""

import mmap
import os
import sys

_FLAGS = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)


def create(path: str, size: int) -> mmap.mmap:
    """Make a file whose `size` bytes are all there (no SIGBUS later) and map it for good.

    Raises:
        OSError: There is no room, or the file exists.
    """
    descriptor = os.open(path, _FLAGS, 0o600)
    try:
        _reserve(descriptor, size)
        return _map(descriptor, size)
    finally:
        os.close(descriptor)


def _reserve(descriptor: int, size: int) -> None:
    """Allocate the blocks; write zeros where the system or the file system cannot."""
    allocate = getattr(os, "posix_fallocate", None)
    if allocate is not None:
        try:
            allocate(descriptor, 0, size)
            return
        except OSError:
            pass  # musl has no emulation: it refuses where the file system cannot
    written = 0
    while written < size:
        written += os.write(descriptor, bytes(min(size - written, 1 << 16)))


def _map(descriptor: int, size: int) -> mmap.mmap:
    if sys.platform == "win32":
        return mmap.mmap(descriptor, size)
    if sys.version_info >= (3, 13):
        return mmap.mmap(descriptor, size, trackfd=False)  # novm
    # Up to 3.12 mmap keeps a duplicate, at the lowest number that is free.
    duplicate = os.dup(descriptor)
    os.close(duplicate)
    memory = mmap.mmap(descriptor, size)
    keep(memory)
    if same_file(duplicate, descriptor):
        os.close(duplicate)
    return memory


def same_file(one: int, other: int) -> bool:
    """Tell whether two descriptors are open on the same file."""
    try:
        return identity(one) == identity(other)
    except OSError:
        return False


def identity(descriptor: int) -> "tuple[int, int]":
    """Give the device and inode of what a descriptor is open on."""
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino


def keep(kept: object) -> None:
    """Make an object immortal: up to 3.12 an mmap that dies closes a number that is not ours.

    The cycle list -> code object -> list cannot be collected, because the collector does not
    traverse code objects: https://docs.python.org/3/c-api/gcsupport.html
    """
    cycle = [kept]
    code = keep.__code__
    cycle.append(code.replace(co_consts=(*code.co_consts, cycle)))
