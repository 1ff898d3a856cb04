"""Hand-made snapshots: children, files, and ends."""

from typing import Any

from _parts import LIB, RUN, body, frame, named, python, read, sleep, snapshot, thread

from hangbisect.model import (
    Beat,
    Call,
    Descriptor,
    FileLock,
    Pace,
    PathFact,
    Process,
    Snapshot,
)

WAIT = Call(name="wait4", arguments=(200,), child=200)
RUN_LINE = ((RUN, 3, 'names = subprocess.run(["nvidia-smi", "-L"], stdout=PIPE)'),)
LOCK = "/home/user/.cache/ext/lock"
FIFO = "/home/user/train/control.fifo"


def _child(pid: int = 200, parent: int = 100, *argv: str, **fields: Any) -> Process:
    return Process(
        pid=pid, parent=parent, argv=argv or ("sleep", "1000"), state=fields.pop("state", "S")
    )


def _waits(call: Call, *children: Process, **tables: Any) -> Snapshot:
    threads = (
        thread(100, call, body(3), frame("run", LIB + "subprocess.py", 550)),
        *(thread(c.pid, sleep(1000.0), pid=c.pid) for c in children if c.state == "S"),
        *tables.pop("threads", ()),
    )
    return snapshot(processes=(python(), *children), threads=threads, **tables)


def _polls(path: str, fact: PathFact, *, beat: Beat | None = None, **tables: Any) -> Snapshot:
    heard = beat or Beat(pid=100, tid=100, call="newfstatat", path=path, count=3)
    return snapshot(
        threads=(thread(100, sleep(), body(4), frame("wait", RUN, 12), still=False),),
        beats=(heard,),
        paths=(fact,),
        **tables,
    )


def _there(path: str = LOCK, **fields: Any) -> PathFact:
    usual: dict[str, Any] = {"exists": True, "kind": "file", "age": 9000.0, "size": 0}
    return PathFact(path=path, **{**usual, **fields})


HOLDER = Process(pid=300, parent=1, inside=False, argv=("python", "build.py"), state="S")
OPEN_LOCK = Descriptor(pid=100, fd=3, kind="file", target=LOCK, inode=42, device=9, mode="rw")


def _locks(call: Call, *holders: int, waiting: tuple[int, ...] = (100,), **tables: Any) -> Snapshot:
    return snapshot(
        processes=(python(), HOLDER),
        threads=(thread(100, call, body(3), still=tables.pop("still", True)),),
        descriptors=(OPEN_LOCK,),
        locks=(
            FileLock(kind="flock", path=LOCK, inode=42, device=9, holders=holders, waiters=waiting),
        ),
        **tables,
    )


FLOCK = Call(name="flock", arguments=(3, 2))


def _opens(fact: PathFact, flags: int = 0) -> Snapshot:
    call = Call(name="openat", arguments=(0xFFFFFF9C, 0x7F00, flags, 0), path=fact.path)
    return snapshot(threads=(thread(100, call, body(4)),), paths=(fact,))


SHELL = _child(200, 100, "/bin/sh", "-c", "cd /tmp; nvidia-smi -L")
SPAWNED = ("python", "-c", "from multiprocessing.spawn import spawn_main", "--multiprocessing-fork")
SMI = _child(201, 200, "nvidia-smi", "-L")

CASES = {
    "child_never_exits/found-replaced-by-exec": _waits(WAIT, _child(), sources=RUN_LINE),
    "child_never_exits/found-below-a-shell": _waits(
        WAIT,
        SHELL,
        SMI,
        threads=(thread(200, Call(name="wait4", child=201), pid=200),),
    ),
    "child_never_exits/found-reads-its-pipe": _waits(
        read(5),
        _child(200, 100, "git", "fetch"),
        descriptors=(
            Descriptor(pid=100, fd=5, kind="pipe", target="pipe:[90]", inode=90, mode="r"),
            Descriptor(pid=200, fd=1, kind="pipe", target="pipe:[90]", inode=90, mode="w"),
        ),
    ),
    "child_never_exits/found-copy-by-fork": snapshot(
        processes=(python(), python(200, 100, hooked=False)),
        threads=(thread(100, WAIT, body(3)), thread(200, sleep(1000.0), body(2), pid=200)),
    ),
    "child_never_exits/found-worker": snapshot(
        processes=(python(), python(200, 100, argv=SPAWNED)),
        threads=(thread(100, WAIT, body(3)), thread(200, sleep(1000.0), body(2), pid=200)),
    ),
    "child_never_exits/found-idle-while-something-moves": _waits(
        WAIT, _child(), occasion="within", moving=("bytes read",)
    ),
    "child_never_exits/not_found-at-work": _waits(
        WAIT,
        _child(),
        occasion="within",
        moving=("CPU",),
        paces=(Pace(pid=200, seconds=10.0, cpu=0.98),),
    ),
    "child_never_exits/not_found-holds-a-lock": _waits(
        FLOCK,
        _child(),
        descriptors=(OPEN_LOCK,),
        locks=(FileLock(kind="flock", path=LOCK, inode=42, device=9, holders=(200,)),),
    ),
    "child_never_exits/not_found-pipe-on-purpose": snapshot(
        processes=(python(), _child(200, 100, "serve")),
        threads=(thread(100, read(5), body(3)), thread(200, sleep(1000.0), pid=200)),
        descriptors=(
            Descriptor(pid=100, fd=5, kind="pipe", target="pipe:[90]", inode=90, mode="r"),
            Descriptor(pid=200, fd=7, kind="pipe", target="pipe:[90]", inode=90, mode="w"),
        ),
    ),
    "child_never_exits/not_found-pipe-of-a-daemon": _waits(
        read(5),
        _child(200, 1, "sleep", "1000"),
        descriptors=(
            Descriptor(pid=100, fd=5, kind="pipe", target="pipe:[90]", inode=90, mode="r"),
            Descriptor(pid=200, fd=1, kind="pipe", target="pipe:[90]", inode=90, mode="w"),
        ),
    ),
    "child_never_exits/not_found-child-writes-to-us": snapshot(
        processes=(python(), _child(200, 100, "generate")),
        threads=(
            thread(100, WAIT, body(3)),
            thread(200, Call(name="write", arguments=(1,), descriptors=(1,), writes=True), pid=200),
        ),
        descriptors=(
            Descriptor(pid=100, fd=5, kind="pipe", target="pipe:[90]", inode=90, mode="r"),
            Descriptor(
                pid=200, fd=1, kind="pipe", target="pipe:[90]", inode=90, mode="w", full=True
            ),
        ),
    ),
    "stale_lock_file/found-polled": _polls(LOCK, _there()),
    "stale_lock_file/found-exclusive-creation": _polls(
        "/home/user/.cache/ext/busy",
        _there("/home/user/.cache/ext/busy"),
        beat=Beat(
            pid=100, tid=100, call="openat", path="/home/user/.cache/ext/busy", error=17, count=3
        ),
    ),
    "stale_lock_file/found-in-locals": snapshot(
        threads=(
            thread(100, sleep(), body(4), frame("wait", RUN, 12, named("path", LOCK)), still=False),
        ),
        paths=(_there(),),
    ),
    "stale_lock_file/found-younger-than-the-wait": _polls(LOCK, _there(age=3.0)),
    "stale_lock_file/not_found-missing": _polls(
        LOCK,
        _there(exists=False, kind="missing", age=None),
        beat=Beat(pid=100, tid=100, call="newfstatat", path=LOCK, error=2, count=3),
    ),
    "stale_lock_file/not_found-held": _polls(
        LOCK, _there(openers=(300,)), processes=(python(), HOLDER)
    ),
    "stale_lock_file/not_found-plain-file": _polls("/data/ready.txt", _there("/data/ready.txt")),
    "file_lock_held/found-flock": _locks(FLOCK, 300),
    "file_lock_held/found-by-itself": _locks(FLOCK, 100),
    "file_lock_held/found-polled": _locks(
        sleep(0.05),
        300,
        waiting=(),
        still=False,
        beats=(Beat(pid=100, tid=100, call="flock", path=LOCK, error=11, count=3),),
    ),
    "file_lock_held/found-holder-unseen": _locks(FLOCK),
    "file_lock_held/not_found-other-fcntl": _locks(
        Call(name="fcntl", arguments=(3, 6)), 300, waiting=()
    ),
    "file_lock_held/not_found-polls-a-path": _locks(
        sleep(0.05),
        300,
        waiting=(),
        still=False,
        beats=(Beat(pid=100, tid=100, call="newfstatat", path=LOCK, count=3),),
    ),
    "fifo_without_peer/found-no-writer": _opens(_there(FIFO, kind="fifo")),
    "fifo_without_peer/found-no-reader": _opens(_there(FIFO, kind="fifo"), 0o1),
    "fifo_without_peer/not_found-plain-file": _opens(_there(FIFO, kind="file")),
    "fifo_without_peer/not_found-peer-there": _opens(_there(FIFO, kind="fifo", openers=(300,))),
}
