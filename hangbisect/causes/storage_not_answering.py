"""A file or folder lies on storage that does not answer.

## What happens

An ordinary call (open, stat, read, write) on a path does not return. Usually not even SIGKILL
ends the process.

## Why

A network share whose server is gone, a FUSE program that has stopped, a frozen file system, a
broken disk. Home folders, model caches and data sets are often on such mounts.

## How it is recognised

The thread is held by the kernel (state D) in a call on a path or an open file, or it waits in
such a call on a mount that another machine or process answers for. A path that is a device is
not meant.

## How it is proved

By a run with the cache or data on local storage. The storage may come back at any time, so the
facts alone make it "likely".

## Fix

Set the folder to local storage (HF_HOME, TORCH_HOME, TMPDIR, the program's own option), which
costs the download or copy. Or bring the server back; for a frozen file system: fsfreeze -u.

## References

- https://man7.org/linux/man-pages/man5/nfs.5.html (hard and soft mounts)
- https://docs.kernel.org/filesystems/fuse.html
- https://man7.org/linux/man-pages/man8/fsfreeze.8.html
"""

import re

from hangbisect.causes._command import short
from hangbisect.causes._evidence import call_row, process_row, thread_row
from hangbisect.causes._rows import from_afar, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Evidence, Finding, Fix, PathFact, Process, Thread
from hangbisect.waits import Reading

REMOTE = re.compile(r"nfs\d?|cifs|smb\w*|fuse(\..*)?|ceph|9p|lustre|gpfs|afs|glusterfs|beegfs")
"""File systems that another machine, or a program, answers for."""
DEVICES = ("/dev/", "/proc/", "/sys/")


class StorageNotAnswering(Rule):
    """A call on a path that the kernel does not return from."""

    code = "HB405"
    name = "storage-not-answering"
    specificity = 55

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread held in a call on a file."""
        for thread in suspects(reading):
            path = _path(reading, thread)
            fact = reading.index.path(path) if path else None
            held = thread.state == "D" or (thread.still and fact is not None and _is_remote(fact))
            if path and held and not (fact and fact.kind in ("fifo", "device", "socket")):
                return self._found(reading, thread, path, fact)
        return None

    def _found(self, reading: Reading, thread: Thread, path: str, fact: PathFact | None) -> Finding:
        mount = fact.mount if fact else ""
        servers = _servers(reading, fact)
        return self.finding(
            from_afar(reading, thread),
            f"{path}, used at {where(thread)}, lies on storage that does not answer"
            f"{f': {_nature(fact)}' if fact and mount else ''}.",
            blocker=Blocker(
                kind="mount" if mount else "file",
                id=mount or path,
                detail={
                    "path": path,
                    "filesystem": fact.filesystem if fact else None,
                    "source": fact.source if fact else None,
                    "servers": [f"{row.pid} {short(row)}" for row in servers],
                    "named_by": list(fact.variables) if fact else [],
                },
            ),
            evidence=(
                thread_row(reading, thread),
                call_row(thread),
                *((Evidence(ref=f"path:{path}", shows=_nature(fact)),) if fact and mount else ()),
                *map(process_row, servers),
            ),
            fix=Fix(
                summary=f"Use local storage instead of {mount or path}, or bring it back.",
                steps=(
                    f"See that it is so: timeout 5 stat {path}",
                    *(f"Check the variable {name}." for name in (fact.variables if fact else ())),
                    *(
                        f"Look at its server, process {row.pid} ({short(row)}, state {row.state})."
                        for row in servers
                    ),
                    "Set the program's cache or data folder to a local disk: costs one copy.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _path(reading: Reading, thread: Thread) -> str:
    """Return the file that a call is on: its path argument, else that of its descriptor."""
    call = thread.call
    wait = reading.waits.get(ref_of(thread))
    if call is None or wait is None or wait.kind not in ("uninterruptible", "unknown", "file"):
        return ""
    rows = [reading.index.descriptor(thread.pid, fd) for fd in call.descriptors]
    files = [row.target for row in rows if row and row.kind in ("file", "directory")]
    path = call.path or (files[0] if files else "")
    return path if path.startswith("/") and not path.startswith(DEVICES) else ""


def _is_remote(fact: PathFact) -> bool:
    return REMOTE.fullmatch(fact.filesystem) is not None


def _servers(reading: Reading, fact: PathFact | None) -> tuple[Process, ...]:
    rows = (reading.index.process(pid) for pid in (fact.servers if fact else ()))
    return tuple(row for row in rows if row is not None)


def _nature(fact: PathFact) -> str:
    source = f" from {fact.source}" if fact.source else ""
    served = f", served by process {', '.join(map(str, fact.servers))}" if fact.servers else ""
    return f"{fact.filesystem} at {fact.mount}{source}{served}"


cause = StorageNotAnswering()
