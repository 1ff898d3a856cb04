"""Read a connection that is waited for: its socket, its peer, how the peer is called.

Sockets whose both ends are in the one process and have no name are left out: so an event loop
wakes itself up.
"""

import re
from collections.abc import Iterator

from hangbisect.causes._command import short
from hangbisect.causes._rows import own_frame, ref_of, source_of
from hangbisect.model import Descriptor, Snapshot, Socket, Thread
from hangbisect.model._struct import Data
from hangbisect.waits import Reading

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_HOST = r"(?P<host>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)"
IN_URL = re.compile(rf"['\"][a-z][\w+.-]*://(?:[^@/'\"]*@)?{_HOST}")
IN_CALL = re.compile(
    r"(?:getaddrinfo|gethostbyname(?:_ex)?|create_connection|connect|open_connection|HTTPS?Connection)"
    rf"\(\s*\(?\s*['\"]{_HOST}['\"]"
)
"""A host as a literal in a source line: in a URL, or as what a call is given first."""
URL = re.compile(r"^(?:[\w+.-]+://)?(?:[^@/]*@)?(?P<host>\[[^\]]+\]|[^:/]+)(?::(?P<port>\d+))?/?")
PORTS = {"http": "80", "https": "443"}


class Connection(Data, frozen=True, kw_only=True):
    """A socket that a thread's call waits for."""

    row: Descriptor
    socket: Socket


def connections(reading: Reading, thread: Thread) -> tuple[Connection, ...]:
    """Return the sockets that a thread's call waits for, those of a watched epoll included."""
    return tuple(_connections(reading, thread))


def _connections(reading: Reading, thread: Thread) -> Iterator[Connection]:
    for fd in thread.call.descriptors if thread.call else ():
        row = reading.index.descriptor(thread.pid, fd)
        if row is None or row.kind != "socket" or row.inherited:
            continue
        socket = reading.index.socket(row.inode)
        if socket is not None and (socket.remote or socket.local):
            yield Connection(row=row, socket=socket)


def sockets_of(reading: Reading, pid: int) -> tuple[Socket, ...]:
    """Return the TCP sockets that a process has open."""
    rows = (reading.index.socket(row.inode) for row in reading.index.descriptors_of(pid))
    found = (row for row in rows if row is not None and row.family in ("inet", "inet6"))
    return tuple({row.inode: row for row in found if row.type == "stream"}.values())


def port_of(address: str) -> str:
    """Return the port of an address."""
    return address.rpartition(":")[2]


def proxy_of(snapshot: Snapshot, address: str) -> str:
    """Name the proxy variable whose value is this address, "" if none is."""
    for name, value in snapshot.environment:
        if name.upper() in PROXIES and _means(value, address):
            return name
    return ""


def host_of(reading: Reading, thread: Thread) -> str:
    """Return the name that the program gave for a host, "" if it is not known."""
    for frame in reversed(thread.frames):
        for local in frame.locals:
            if local.name == "host" and local.type == "str" and local.text:
                return local.text
    own = own_frame(thread)
    line = source_of(reading.snapshot, own) if own else ""
    found = IN_URL.search(line) or IN_CALL.search(line)
    return found["host"] if found else ""


def spelled(address: str, host: str) -> str:
    """Say an address together with the name that was asked for, where that is another."""
    same = not host or host == address.rpartition(":")[0].strip("[]") or host in address
    return address if same else f"{address} ({host})"


def peer_of(reading: Reading, thread: Thread) -> str:
    """Say which process of this machine has the other end, "" if none is seen."""
    wait = reading.waits.get(ref_of(thread))
    pids = (
        [ref.pid for ref in (*wait.holders, *wait.wakers) if ref.pid != thread.pid] if wait else []
    )
    rows = [row for pid in pids if (row := reading.index.process(pid)) is not None]
    return f"process {rows[0].pid} ({short(rows[0])})" if rows else ""


def seconds_in(reading: Reading, thread: Thread) -> float | None:
    """Return how long a thread has been in its call, as far as that was seen."""
    return None if thread.since is None else max(reading.snapshot.taken - thread.since, 0.0)


def _means(value: str, address: str) -> bool:
    """Tell whether a proxy's URL names this address; a host that is a name counts by its port."""
    found = URL.match(value)
    if found is None:
        return False
    host, _, port = address.rpartition(":")
    wanted = found["port"] or PORTS.get(value.partition(":")[0], "80")
    is_number = re.fullmatch(r"[\d.]+|\[.*\]", found["host"]) is not None
    same = found["host"] == host if is_number else port not in PORTS.values()
    return same and wanted == port
