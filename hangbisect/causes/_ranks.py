"""Read a rendezvous or collective of torch.distributed: which rank this is, who else is there."""

import re

from hangbisect.causes._network import port_of, sockets_of
from hangbisect.causes._rows import function_of, is_standard, source_of
from hangbisect.model import Frame, Thread
from hangbisect.model._struct import Data
from hangbisect.waits import Reading

FOLDER = "/torch/distributed/"
MAKES_STORE = "_create_c10d_store"
"""The function of torch.distributed.rendezvous that hosts a store or connects to one."""
MONITORS = ("/torch/distributed/elastic/agent/", "/torch/distributed/elastic/multiprocessing/")
"""A launcher that waits for its workers is in these all the time."""
WRAPPERS = ("wrapper", "_wrapper", "inner", "decorate_context")
RANK = re.compile(r"\brank\s*=\s*(\d+)")
WORLD = re.compile(r"\b(?:world_size|nprocs)\s*=\s*(\d+)")


class Meeting(Data, frozen=True, kw_only=True):
    """What a process waits for together with the other ranks, as it sees it."""

    function: str
    """The function of torch.distributed that was called: "init_process_group"."""
    rank: int | None
    world: int | None
    store: str
    """Address of the store it is connected to, "" if none."""
    hosts: bool
    """The store is in this very process."""
    present: int | None
    """Other processes that are connected to that store; None where it is another's."""


def meeting(reading: Reading, thread: Thread) -> Meeting | None:
    """Describe the meeting in which a thread waits; None if it is in none."""
    function = _function(thread)
    if function is None or thread.call is None or thread.call.name in ("", "running"):
        return None
    store, hosts = _store(reading, thread)
    return Meeting(
        function=function,
        rank=_number(reading, thread, RANK, "RANK"),
        world=_number(reading, thread, WORLD, "WORLD_SIZE"),
        store=store,
        hosts=hosts,
        present=_present(reading, thread, store) if hosts else None,
    )


def unreached(reading: Reading, thread: Thread) -> str:
    """Return the address of a store that a thread tries to reach, "" if it tries none.

    Between its tries it sleeps while it still makes the store, and nothing is connected. The
    address is what torch was given, else that of the variables.
    """
    making = _innermost(thread)
    if making is None or function_of(making) != MAKES_STORE or not _sleeps(thread):
        return ""
    given = _given(thread)
    values = dict(reading.snapshot.environment)
    host = given.get("host") or values.get("MASTER_ADDR", "")
    port = given.get("port") or values.get("MASTER_PORT", "")
    store, hosts = _store(reading, thread)
    if hosts or (store and port in ("", port_of(store))):
        return ""
    return f"{host}:{port}" if host and port else ""


def _innermost(thread: Thread) -> Frame | None:
    """Return the innermost frame of torch.distributed."""
    return next((f for f in reversed(thread.frames) if FOLDER in f.file.replace("\\", "/")), None)


def _given(thread: Thread) -> dict[str, str]:
    """Return what the innermost function of torch.distributed was given, as far as it is kept."""
    frame = _innermost(thread)
    return {local.name: local.text or "" for local in frame.locals} if frame else {}


def _sleeps(thread: Thread) -> bool:
    call = thread.call
    return call is not None and call.timed and not call.descriptors and call.word is None


def is_meeting(thread: Thread) -> bool:
    """Tell whether a thread's innermost code is torch.distributed's."""
    return _function(thread) is not None


def _function(thread: Thread) -> str | None:
    """Name the outermost function of torch.distributed in which the stack ends."""
    found = None
    for frame in reversed(thread.frames):
        file = frame.file.replace("\\", "/")
        if any(part in file for part in MONITORS):
            return None
        name = frame.function.rpartition(".")[2]
        if FOLDER in file:
            found = name if name not in WRAPPERS or found is None else found
        elif not is_standard(frame) or found is not None:
            break
    return found


def _number(
    reading: Reading, thread: Thread, pattern: re.Pattern[str], variable: str
) -> int | None:
    """Read a number from what torch was given, the line that called, or the root's own variable."""
    given = _given(thread).get(variable.lower(), "")
    if given.isdigit():
        return int(given)
    frame = caller(thread)
    found = pattern.search(source_of(reading.snapshot, frame)) if frame else None
    if found:
        return int(found[1])
    if thread.pid != reading.snapshot.root:
        return None
    value = dict(reading.snapshot.environment).get(variable, "")
    return int(value) if value.isdigit() else None


def caller(thread: Thread) -> Frame | None:
    """Return the frame that called into torch."""
    outside = [frame for frame in thread.frames if "/torch/" not in frame.file.replace("\\", "/")]
    return outside[-1] if outside else None


def _store(reading: Reading, thread: Thread) -> tuple[str, bool]:
    """Return the address of the store that a process is a client of, and whether it serves it."""
    sockets = sockets_of(reading, thread.pid)
    ports = {port_of(row.local) for row in sockets if row.state == "LISTEN"}
    clients = [row for row in sockets if row.state == "ESTABLISHED" and row.remote]
    own = [row for row in clients if port_of(row.remote) in ports]
    if own:
        return own[0].remote, True
    others = [row for row in clients if port_of(row.local) not in ports]
    return (others[0].remote, False) if others else ("", False)


def _present(reading: Reading, thread: Thread, store: str) -> int:
    """Count the clients of the store in this process that are not this process itself."""
    sockets = sockets_of(reading, thread.pid)
    mine = {row.inode for row in sockets}
    served = [
        row
        for row in sockets
        if row.state == "ESTABLISHED"
        and port_of(row.local) == port_of(store)
        and row.peer not in mine
    ]
    return len({row.remote for row in served})
