"""Whether a process that stands still is a server that waits for somebody to ask. Pure."""

from hangbisect.model import Snapshot, Thread
from hangbisect.waits import Reading
from hangbisect.watch.judge import prompts, sleeps_until

_LOOP = ("selectors.py", "socketserver.py", "asyncio/base_events.py")


def is_at_rest(snapshot: Snapshot, reading: Reading) -> bool:
    """Tell whether a process stands still as it should: it serves, asks a person, or sleeps."""
    if reading.hung:
        return False
    return serves(snapshot) or prompts(reading) or sleeps_until(snapshot, reading) is not None


def serves(snapshot: Snapshot) -> bool:
    """Tell whether a process waits for connections, outside of any import.

    A thread with a Python stack waits for a socket that listens, or the main thread is in an event
    loop while the process listens somewhere. A store that a native library serves while Python
    stands still is no server of the program's.
    """
    root = next((row for row in snapshot.processes if row.pid == snapshot.root), None)
    if root is None or (root.step is not None and root.step.kind == "import"):
        return False
    listening = {row.inode for row in snapshot.sockets if row.state == "LISTEN"}
    ours = {
        row.fd
        for row in snapshot.descriptors
        if row.pid == root.pid and row.inode and row.inode in listening
    }
    threads = [thread for thread in snapshot.threads if thread.pid == root.pid and thread.frames]
    return bool(ours) and any(_waits_for(thread, ours) or _loops(thread) for thread in threads)


def _waits_for(thread: Thread, descriptors: set[int]) -> bool:
    return thread.call is not None and bool(descriptors & set(thread.call.descriptors))


def _loops(thread: Thread) -> bool:
    inner = thread.frames[-1].file
    return thread.pid == thread.tid and inner.endswith(_LOOP)
