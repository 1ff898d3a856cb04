"""Hand-made snapshots: paths that do not exist, and storage that does not answer."""

from typing import Any

from _parts import RUN, body, frame, named, python, read, sleep, snapshot, thread

from hangbisect.model import Beat, Call, Descriptor, PathFact, Process, Snapshot

PEER = "/scratch/run7/rendezvous"
CACHE = "/home/user/cache/model.bin"


def _polls(fact: PathFact, *beats: Beat, argv: tuple[str, ...] = ("python", "run.py")) -> Snapshot:
    place = frame("wait", RUN, 12, named("path", fact.path))
    return snapshot(
        processes=(python(argv=argv),),
        threads=(thread(100, sleep(), body(4), place, still=False),),
        beats=beats,
        paths=(fact,),
    )


def _asked(error: int, path: str = PEER) -> Beat:
    return Beat(pid=100, tid=100, call="newfstatat", path=path, error=error, count=3)


def _refused(error: int, path: str = PEER, call: str = "openat", count: int = 3) -> Beat:
    return Beat(pid=100, tid=100, call=call, path=path, error=error, count=count)


def _missing(**fields: Any) -> PathFact:
    return PathFact(path=PEER, exists=False, kind="missing", mount="/", filesystem="ext4", **fields)


def _opens(state: Any, *facts: PathFact, path: str = CACHE, **tables: Any) -> Snapshot:
    call = Call(name="openat", arguments=(0xFFFFFF9C, 0x7F00, 0, 0), path=path)
    return snapshot(
        processes=(python(state=state), *tables.pop("processes", ())),
        threads=(thread(100, call, body(3), state=state),),
        paths=facts,
    )


def _on(filesystem: str, path: str = CACHE, **fields: Any) -> PathFact:
    mount = "/home/user/cache"
    return PathFact(path=path, exists=None, mount=mount, filesystem=filesystem, **fields)


SERVER = Process(pid=300, parent=1, inside=False, argv=("sshfs", "nas:/data"), state="S")
OPEN_FILE = Descriptor(pid=100, fd=5, kind="file", target=CACHE, inode=42, mode="r")

CASES = {
    "missing_path_polled/found-given-by-a-variable": _polls(
        _missing(variables=("PEER_FILE",)), _asked(2)
    ),
    "missing_path_polled/found-given-by-an-argument": _polls(
        _missing(), _asked(2), argv=("python", "run.py", f"--peer={PEER}")
    ),
    "missing_path_polled/found-in-locals": _polls(_missing()),
    "missing_path_polled/found-may-not-be-made": _polls(_missing(), _refused(30)),
    "missing_path_polled/found-a-new-name-each-time": _polls(
        _missing(), *(_refused(13, f"/scratch/run7/tmp{letter}", count=1) for letter in "abc")
    ),
    "missing_path_polled/not_found-made-in-the-end": _polls(
        PathFact(path=PEER, exists=True, kind="file"), _refused(28), _refused(0, count=1)
    ),
    "missing_path_polled/not_found-is-there": _polls(
        PathFact(path=PEER, exists=True, kind="file", age=5.0, size=3), _asked(0)
    ),
    "missing_path_polled/not_found-could-not-be-asked": _polls(
        PathFact(path=PEER, exists=None), _asked(2)
    ),
    "storage_not_answering/found-frozen": _opens("D", _on("ext4", source="/dev/sdb1")),
    "storage_not_answering/found-unknown-mount": _opens("D"),
    "storage_not_answering/found-open-file": snapshot(
        processes=(python(state="D"),),
        threads=(thread(100, read(5), body(3), state="D"),),
        descriptors=(OPEN_FILE,),
        paths=(_on("nfs4", source="nas:/export"),),
    ),
    "storage_not_answering/found-fuse-server": _opens(
        "S", _on("fuse.sshfs", source="nas:/data", servers=(300,)), processes=(SERVER,)
    ),
    "storage_not_answering/not_found-device": _opens("D", path="/dev/accel0"),
    "storage_not_answering/not_found-fifo": _opens("S", _on("fuse.sshfs", kind="fifo")),
    "storage_not_answering/not_found-local-and-interruptible": _opens("S", _on("ext4")),
}
