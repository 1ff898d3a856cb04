"""Hand-made snapshots: connections, name servers, ranks."""

from typing import Any

from _parts import LIB, RUN, body, frame, named, python, sleep, snapshot, thread

from hangbisect.model import Beat, Call, Descriptor, Frame, Local, Process, Snapshot, Socket

SOCKET = LIB + "socket.py"
TORCH = "/opt/venv/lib/python3.11/site-packages/torch/distributed/"
SERVER = Process(pid=300, parent=1, inside=False, argv=("hub-mirror", "--port", "8080"), state="S")
CONNECTING = (
    body(3),
    frame("create_connection", SOCKET, 836, named("host", "hub.example")),
)
ASKING = (body(4), frame("urlopen", LIB + "urllib/request.py", 216))
OPENS = ((RUN, 4, 'urllib.request.urlopen("http://hub.example/api").read()'),)
MEETING = (
    body(4),
    frame("wrapper", TORCH + "c10d_logger.py", 83),
    frame("init_process_group", TORCH + "distributed_c10d.py", 1892),
    frame("_create_c10d_store", TORCH + "rendezvous.py", 199),
)
LOOKING = (
    *MEETING[:-1],
    frame(
        "_create_c10d_store",
        TORCH + "rendezvous.py",
        199,
        Local(name="host", type="str", text="10.0.0.9"),
        Local(name="port", type="int", text="29501"),
    ),
)
GIVEN = frame(
    "_create_c10d_store",
    TORCH + "rendezvous.py",
    199,
    Local(name="rank", type="int", text="0"),
    Local(name="world_size", type="int", text="2"),
)
MEETS = ((RUN, 4, 'dist.init_process_group("gloo", rank=0)'),)


def _fd(fd: int, inode: int, pid: int = 100, **fields: Any) -> Descriptor:
    target = f"socket:[{inode}]"
    return Descriptor(
        pid=pid, fd=fd, kind="socket", target=target, inode=inode, mode="rw", **fields
    )


def _socket(inode: int, remote: str = "", local: str = "127.0.0.1:40000", **fields: Any) -> Socket:
    usual: dict[str, Any] = {"family": "inet", "state": "ESTABLISHED", "timeout": 0.0}
    return Socket(inode=inode, remote=remote, local=local, **{**usual, **fields})


def _on(name: str, *fds: int, **fields: Any) -> Call:
    return Call(name=name, arguments=fds, descriptors=fds, **fields)


def _waits(call: Call, *frames: Frame, **tables: Any) -> Snapshot:
    still = tables.pop("still", True)
    since = tables.pop("since", 3.0)
    row = thread(100, call, *(frames or ASKING), still=still, since=since)
    return snapshot(threads=(row,), **tables)


def _connect(address: str, **tables: Any) -> Snapshot:
    call = _on("connect", 3, writes=True, address=address)
    return _waits(call, *CONNECTING, descriptors=(_fd(3, 70),), **tables)


def _reads(
    socket: Socket, *others: Descriptor, call: Call | None = None, **tables: Any
) -> Snapshot:
    sockets = (socket, *tables.pop("sockets", ()))
    return _waits(
        call or _on("recvfrom", 3), descriptors=(_fd(3, 70), *others), sockets=sockets, **tables
    )


def _polls(*beats: Beat, frames: tuple[Frame, ...] = (), **tables: Any) -> Snapshot:
    return _waits(sleep(1.0), *(frames or (body(8),)), still=False, beats=beats, **tables)


def _tried(address: str, error: int = 111, call: str = "connect") -> Beat:
    return Beat(pid=100, tid=100, call=call, address=address, error=error, count=3)


STORE = (
    _socket(60, local="[::]:29500", state="LISTEN"),
    _socket(61, "127.0.0.1:29500", "127.0.0.1:40001", peer=62),
    _socket(62, "127.0.0.1:40001", "127.0.0.1:29500", peer=61),
)
STORE_FDS = (_fd(11, 60), _fd(12, 61), _fd(13, 62))
SECOND = (
    _socket(63, "10.0.0.2:41000", "10.0.0.1:29500"),
    _socket(64, "10.0.0.3:41000", "10.0.0.1:29500"),
)


def _meets(world: str, *more: Socket, **tables: Any) -> Snapshot:
    fds = (*STORE_FDS, *(_fd(20 + at, row.inode) for at, row in enumerate(more)))
    return _polls(
        frames=MEETING,
        environment=(("WORLD_SIZE", world), ("RANK", "0")),
        sockets=(*STORE, *more),
        descriptors=fds,
        sources=MEETS,
        **tables,
    )


ADDRESS = (("MASTER_ADDR", "10.0.0.9"), ("MASTER_PORT", "29500"), ("WORLD_SIZE", "2"))
LEAVES = frame("step", RUN, 30)

CASES = {
    "connect_no_answer/found-blocking": _connect("10.0.0.9:443"),
    "connect_no_answer/found-proxy": _connect(
        "10.0.0.9:3128", environment=(("HTTPS_PROXY", "http://10.0.0.9:3128"),)
    ),
    "connect_no_answer/found-full-queue": _connect(
        "127.0.0.1:8080",
        processes=(python(), SERVER),
        sockets=(_socket(71, local="127.0.0.1:8080", state="LISTEN"),),
    ),
    "connect_no_answer/found-with-a-time-limit": _reads(
        _socket(70, "10.0.0.9:443", state="SYN_SENT"),
        call=_on("poll", 3, timed=True, interval=60.0),
    ),
    "connect_no_answer/not_found-established": _reads(_socket(70, "10.0.0.9:443")),
    "connect_no_answer/not_found-refused-beat": _polls(_tried("10.0.0.9:443")),
    "peer_silent/found-http": _reads(
        _socket(70, "10.0.0.9:80", sent=120, received=0), sources=OPENS
    ),
    "peer_silent/found-local-peer": _reads(
        _socket(70, "127.0.0.1:8080", peer=71),
        _fd(5, 71, pid=300),
        sockets=(_socket(71, "127.0.0.1:40000", "127.0.0.1:8080", peer=70),),
        processes=(python(), SERVER),
    ),
    "peer_silent/found-own-socket": _reads(
        _socket(70, "/run/agent.sock", "", family="unix", peer=71),
        _fd(5, 71),
        sockets=(_socket(71, local="/run/agent.sock", family="unix", state="LISTEN"),),
        occasion="dead",
    ),
    "peer_silent/found-both-ends-are-its-own": _reads(
        _socket(70, "127.0.0.1:8080", peer=71),
        _fd(4, 71),
        sockets=(_socket(71, "127.0.0.1:40000", "127.0.0.1:8081", peer=70),),
        occasion="dead",
    ),
    "peer_silent/found-in-a-loop": _reads(_socket(70, "10.0.0.9:443"), call=_on("epoll_wait", 3)),
    "peer_silent/not_found-server": _reads(
        _socket(70, "10.0.0.9:443"),
        _fd(4, 72),
        call=_on("epoll_wait", 3, 4),
        sockets=(_socket(72, local="0.0.0.0:80", state="LISTEN"),),
    ),
    "peer_silent/not_found-serves-a-client": _reads(
        _socket(70, "10.0.0.9:41000", "10.0.0.1:8080"),
        _fd(4, 72),
        sockets=(_socket(72, local="0.0.0.0:8080", state="LISTEN"),),
    ),
    "peer_silent/not_found-unnamed-pair": _reads(
        _socket(70, "", "", family="unix", peer=71), _fd(5, 71, pid=300)
    ),
    "peer_silent/not_found-writes": _reads(
        _socket(70, "10.0.0.9:443"), call=_on("sendto", 3, writes=True)
    ),
    "name_lookup_no_answer/found-name-server": _waits(
        _on("poll", 3, timed=True, interval=5.0),
        body(6),
        frame("getaddrinfo", SOCKET, 962, named("host", "hub.example")),
        descriptors=(_fd(3, 70),),
        sockets=(_socket(70, "10.0.0.53:53", type="datagram"),),
    ),
    "name_lookup_no_answer/found-unseen-server": _waits(
        _on("read", 3),
        body(6),
        frame("getaddrinfo", SOCKET, 962),
        sources=((RUN, 6, 'socket.getaddrinfo("hub.example", 443)'),),
    ),
    "name_lookup_no_answer/not_found-other-datagram": _waits(
        _on("recvfrom", 3),
        body(6),
        descriptors=(_fd(3, 70),),
        sockets=(_socket(70, "10.0.0.53:5353", type="datagram"),),
    ),
    "name_lookup_no_answer/not_found-serves-names": _waits(
        _on("recvfrom", 3),
        body(6),
        descriptors=(_fd(3, 70),),
        sockets=(_socket(70, local="0.0.0.0:53", type="datagram", state="CLOSE"),),
    ),
    "connection_refused_retry/found-refused": _polls(_tried("127.0.0.1:8080")),
    "connection_refused_retry/found-no-way": _polls(_tried("10.0.0.9:80", 113)),
    "connection_refused_retry/found-unix-socket": _polls(_tried("/run/agent.sock", 2)),
    "connection_refused_retry/not_found-accepted-in-the-end": _polls(
        _tried("127.0.0.1:8080"), _tried("127.0.0.1:8080", 0)
    ),
    "connection_refused_retry/not_found-in-progress": _polls(_tried("127.0.0.1:8080", 115)),
    "rank_missing/found-alone-of-two": _meets("2"),
    "rank_missing/found-alone-of-eight": _meets("8"),
    "rank_missing/found-some-are-there": _meets("8", *SECOND),
    "rank_missing/found-stands-elsewhere": snapshot(
        processes=(
            python(100, 90),
            python(101, 90),
            Process(pid=90, parent=1, argv=("torchrun", "run.py"), state="S"),
        ),
        threads=(
            thread(100, sleep(0.01), *MEETING, still=False),
            thread(101, sleep(0.01), body(9), LEAVES, pid=101, still=False),
        ),
        environment=(("WORLD_SIZE", "2"),),
        sources=MEETS,
    ),
    "rank_missing/found-by-what-torch-was-given": _polls(
        frames=(*MEETING[:-1], GIVEN), sources=MEETS, sockets=STORE, descriptors=STORE_FDS
    ),
    "rank_missing/not_found-world-of-one": _meets("1"),
    "rank_missing/not_found-launcher": _waits(
        sleep(0.1),
        body(4),
        frame("_invoke_run", TORCH + "elastic/agent/server/api.py", 860),
        still=False,
    ),
    "rank_missing/not_found-runs-on": _polls(frames=(*MEETING[:3], LEAVES), sources=MEETS),
    "rendezvous_address_wrong/found-refused": _polls(
        _tried("10.0.0.9:29500"), frames=MEETING, environment=ADDRESS
    ),
    "rendezvous_address_wrong/found-no-answer": _waits(
        _on("poll", 3, timed=True, interval=60.0),
        *MEETING,
        descriptors=(_fd(3, 70),),
        sockets=(_socket(70, "10.0.0.9:29500", state="SYN_SENT"),),
        environment=ADDRESS,
    ),
    "rendezvous_address_wrong/found-between-its-tries": _waits(
        sleep(40.0), *LOOKING, still=False, environment=ADDRESS
    ),
    "rendezvous_address_wrong/not_found-connected": _meets("2"),
    "rendezvous_address_wrong/not_found-waits-beside-its-store": _waits(
        sleep(0.01),
        *MEETING,
        still=False,
        sockets=STORE,
        descriptors=STORE_FDS,
        environment=(("MASTER_ADDR", "127.0.0.1"), ("MASTER_PORT", "29500"), ("WORLD_SIZE", "2")),
    ),
    "rendezvous_address_wrong/not_found-own-retry": _polls(_tried("10.0.0.9:29500")),
}
