"""Messages that nobody has received and nobody can look into: descriptors may lie in them.

A descriptor that was sent by SCM_RIGHTS, unix(7), is held by its message until that is received,
and belongs to no process meanwhile. Since Linux 5.8 a socket's fdinfo counts them; where that
cannot be read (an older kernel, a process of another user), any message may carry some.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from hangbisect.host.fdinfo import parse_fdinfo
from hangbisect.host.holders import Scan
from hangbisect.host.networks import queues_of
from hangbisect.host.proc import Proc
from hangbisect.host.view import View
from hangbisect.model import Descriptor, Socket


def opaque(
    seen: View, rows: Collection[Descriptor], sockets: Iterable[Socket], ends: Scan
) -> Iterator[Socket]:
    """Yield the Unix sockets that may hold descriptors, as far as nothing tells."""
    own = frozenset(each.inode for each in sockets if each.family == "unix")
    told = ends.told | set(_told(seen.proc, rows)) | set(_ours(seen))
    for pid in _one_a_namespace(seen):
        queues = queues_of(seen.proc, pid)
        for inode in suspects(queues, own, told, hidden=ends.hidden > 0):
            yield Socket(inode=inode, family="unix", opaque=True)


def suspects(
    queues: Mapping[int, int] | None,
    own: Collection[int],
    told: Collection[str],
    *,
    hidden: bool,
) -> tuple[int, ...]:
    """Name the sockets with something in them that do not tell what.

    If the queues are not known either, where processes are hidden, each Unix socket of the tree
    may have passed something on.
    """
    if queues is not None:
        full = (inode for inode, size in queues.items() if inode and size)
        return tuple(inode for inode in full if f"socket:[{inode}]" not in told)
    return tuple(inode for inode in own if hidden or f"socket:[{inode}]" not in told)


def _one_a_namespace(seen: View) -> Collection[int]:
    return {seen.proc.link(f"{pid}/ns/net"): pid for pid in seen.tree}.values()


def _told(proc: Proc, rows: Iterable[Descriptor]) -> Iterator[str]:
    for row in rows:
        if row.kind == "socket":
            info = parse_fdinfo(proc.peek(f"{row.pid}/fdinfo/{row.fd}"))
            if info.in_flight is not None:
                yield row.target


def _ours(seen: View) -> Iterator[str]:
    """Name the sockets of our own processes, which send nothing of the target's."""
    for pid in seen.question.leave_out:
        try:
            fds = seen.proc.numbers(f"{pid}/fd")
        except PermissionError:  # the pid was given to another user's process meanwhile
            continue
        yield from (seen.proc.link(f"{pid}/fd/{fd}") for fd in fds)
