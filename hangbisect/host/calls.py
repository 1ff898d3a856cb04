"""What arguments of Linux system calls mean, as data: which is a descriptor, a path, a limit.

From section 2 of the manual. A call that is not in any table blocks on nothing that we can name.
"""

from collections.abc import Mapping
from typing import Literal

from hangbisect.model._struct import Data

Unit = Literal["milliseconds", "timespec", "timeval"]


class PathArgument(Data, frozen=True, kw_only=True):
    """Where a call's path is, and the folder descriptor that it is relative to."""

    path: int
    folder: int | None = None


class Limit(Data, frozen=True, kw_only=True):
    """A relative time limit: which argument, in which form. A null pointer means none."""

    argument: int
    unit: Unit


READS: Mapping[str, int] = dict.fromkeys(
    (
        *("read", "pread64", "readv", "preadv", "preadv2"),
        *("recvfrom", "recvmsg", "recvmmsg", "accept", "accept4"),
        *("flock", "fcntl", "ioctl", "fsync", "fdatasync", "syncfs", "sync_file_range"),
        *("getdents", "getdents64", "fstat", "fstatfs", "lseek", "close", "ftruncate", "fallocate"),
        *("mq_timedreceive", "io_uring_enter"),
    ),
    0,
) | {"splice": 0, "tee": 0, "copy_file_range": 0, "sendfile": 1}
"""Calls that wait for data or an answer, and the argument that is the descriptor."""

WRITES: Mapping[str, int] = dict.fromkeys(
    (
        *("write", "pwrite64", "writev", "pwritev", "pwritev2", "vmsplice"),
        *("sendto", "sendmsg", "sendmmsg", "connect", "mq_timedsend"),
    ),
    0,
) | {"splice": 2, "tee": 1, "copy_file_range": 2, "sendfile": 0}
"""Calls that wait for room, and the argument that is the descriptor."""

PATHS: Mapping[str, PathArgument] = {
    **dict.fromkeys(
        (
            *("open", "creat", "stat", "lstat", "access", "readlink", "statfs", "truncate"),
            *("unlink", "rmdir", "mkdir", "chdir", "rename", "execve", "chmod", "mount", "umount2"),
            *("getxattr", "lgetxattr", "listxattr", "llistxattr", "utime", "utimes", "mknod"),
        ),
        PathArgument(path=0),
    ),
    **dict.fromkeys(
        (
            *("openat", "openat2", "newfstatat", "statx", "faccessat", "faccessat2"),
            *("readlinkat", "unlinkat", "mkdirat", "mknodat", "execveat", "fchmodat"),
            *("renameat", "renameat2", "utimensat", "name_to_handle_at"),
        ),
        PathArgument(path=1, folder=0),
    ),
}

LIMITS: Mapping[str, Limit] = {
    "poll": Limit(argument=2, unit="milliseconds"),
    "epoll_wait": Limit(argument=3, unit="milliseconds"),
    "epoll_pwait": Limit(argument=3, unit="milliseconds"),
    "epoll_pwait2": Limit(argument=3, unit="timespec"),
    "ppoll": Limit(argument=2, unit="timespec"),
    "pselect6": Limit(argument=4, unit="timespec"),
    "select": Limit(argument=4, unit="timeval"),
    "nanosleep": Limit(argument=0, unit="timespec"),
    "rt_sigtimedwait": Limit(argument=2, unit="timespec"),
    "semtimedop": Limit(argument=3, unit="timespec"),
    "io_getevents": Limit(argument=4, unit="timespec"),
    "io_pgetevents": Limit(argument=4, unit="timespec"),
    "recvmmsg": Limit(argument=4, unit="timespec"),
}

EPOLLS = frozenset({"epoll_wait", "epoll_pwait", "epoll_pwait2"})
POLLS = frozenset({"poll", "ppoll"})
SELECTS = frozenset({"select", "pselect6"})
