"""Hand-made snapshots: pipes that are full, pipes that do not end, helpers at the terminal."""

from typing import Any

from _parts import LIB, RUN, body, frame, futex, python, read, sleep, snapshot, thread

from hangbisect.model import Call, Descriptor, Frame, Process, Snapshot

WAIT = Call(name="wait4", arguments=(200,), child=200)
WRITE = Call(name="write", arguments=(1,), descriptors=(1,), writes=True)
LINE = "server.wait()"
GENERATE = Process(pid=200, parent=100, argv=("generate",), state="S")
DAEMON = Process(pid=201, parent=99, argv=("agentd", "--serve"), state="S")
GONE = Process(pid=200, parent=100, argv=(), state="Z", exit_status=0)
COMMUNICATE = frame("communicate", LIB + "subprocess.py", 1196)
TERMINAL = "/dev/pts/3"


def _end(pid: int, fd: int, mode: Any, **fields: Any) -> Descriptor:
    inode = fields.pop("inode", 90)
    target = f"pipe:[{inode}]"
    return Descriptor(pid=pid, fd=fd, kind="pipe", target=target, inode=inode, mode=mode, **fields)


def _two(mine: Call, other: Process, theirs: Call, *ends: Descriptor, **tables: Any) -> Snapshot:
    """A Python process and another one, with a pipe between them."""
    frames: tuple[Frame, ...] = tables.pop("frames", ())
    still = tables.pop("still", True)
    return snapshot(
        occasion=tables.pop("occasion", "dead"),
        processes=(python(), other, *tables.pop("processes", ())),
        threads=(
            thread(100, mine, body(3), *frames),
            thread(other.pid, theirs, pid=other.pid, still=still),
            *tables.pop("more", ()),
        ),
        descriptors=ends,
        sources=((RUN, 3, tables.pop("line", LINE)),),
        **tables,
    )


def _helper(call: Call, **fields: Any) -> Snapshot:
    git = Process(pid=200, parent=100, argv=("git", "fetch"), state="S", **fields)
    tty = Descriptor(pid=200, fd=5, kind="terminal", target=TERMINAL, mode="rw")
    plain = Descriptor(pid=200, fd=6, kind="file", target="/home/user/x", mode="r")
    return snapshot(
        processes=(python(), git),
        threads=(thread(100, WAIT, body(3)), thread(200, call, pid=200)),
        descriptors=(tty, plain),
    )


def _clone() -> Snapshot:
    """git reads what a helper's helper was to send, which asks for a name."""
    helper = Process(pid=201, parent=200, argv=("git", "remote-https", "origin"), state="S")
    asks = Process(pid=202, parent=201, argv=("git-remote-https", "origin"), state="S")
    return snapshot(
        processes=(
            python(),
            Process(pid=200, parent=100, argv=("git", "clone", "https://hub.example/m"), state="S"),
            helper,
            asks,
        ),
        threads=(
            thread(100, WAIT, body(3)),
            thread(200, read(7), pid=200),
            thread(201, Call(name="wait4", arguments=(202,), child=202), pid=201),
            thread(202, read(5), pid=202),
        ),
        descriptors=(
            _end(200, 7, "r"),
            _end(201, 1, "w"),
            _end(202, 1, "w"),
            Descriptor(pid=202, fd=5, kind="terminal", target="/dev/tty", mode="rw"),
        ),
    )


FULL = (_end(100, 5, "r"), _end(200, 1, "w", full=True))
OUTER = (_end(300, 7, "r"), _end(100, 1, "w", full=True, inherited=True))
FRONT_END = Process(pid=300, parent=1, inside=False, argv=("node", "ui.js"), state="S")

CASES = {
    "pipe_not_drained/found-parent-waits": _two(WAIT, GENERATE, WRITE, *FULL),
    "pipe_not_drained/found-reader-has-another-thread": _two(
        WAIT, GENERATE, WRITE, *FULL, more=(thread(101, futex(), body(9)),)
    ),
    "pipe_not_drained/found-own-pipe": snapshot(
        occasion="dead",
        threads=(thread(100, WRITE, body(3)),),
        descriptors=(_end(100, 5, "r"), _end(100, 1, "w", full=True)),
    ),
    "pipe_not_drained/found-reader-sleeps": _two(
        Call(name="write", arguments=(5,), descriptors=(5,), writes=True),
        GENERATE,
        sleep(1000.0),
        _end(100, 5, "w", full=True),
        _end(200, 0, "r"),
        occasion="patience",
    ),
    "pipe_not_drained/found-front-end": snapshot(
        processes=(python(), FRONT_END), threads=(thread(100, WRITE, body(3)),), descriptors=OUTER
    ),
    "pipe_not_drained/not_found-room-left": _two(
        WAIT, GENERATE, WRITE, _end(100, 5, "r"), _end(200, 1, "w")
    ),
    "pipe_not_drained/not_found-being-read": _two(
        read(5), GENERATE, WRITE, *FULL, occasion="patience"
    ),
    "pipe_held_open/found-daemon": _two(
        read(5),
        DAEMON,
        sleep(100000.0),
        _end(100, 5, "r"),
        _end(201, 1, "w"),
        frames=(COMMUNICATE,),
        processes=(GONE,),
        occasion="patience",
    ),
    "pipe_held_open/found-read-to-the-end": _two(
        read(5),
        DAEMON,
        sleep(100000.0),
        _end(100, 5, "r"),
        _end(201, 7, "w"),
        occasion="patience",
        line="text = open(fd).read()",
    ),
    "pipe_held_open/not_found-given-on-purpose": _two(
        read(5),
        DAEMON,
        sleep(100000.0),
        _end(100, 5, "r"),
        _end(201, 7, "w"),
        occasion="patience",
        line="os.read(fd, 1)",
    ),
    "pipe_held_open/not_found-each-waits-for-a-message": _two(
        read(5),
        python(200, 100, hooked=False),
        read(6),
        _end(100, 5, "r"),
        _end(200, 8, "w"),
        _end(200, 6, "r", inode=91),
        _end(100, 9, "w", inode=91),
        line="os.read(r1, 1)",
    ),
    "pipe_held_open/found-parent-waits": snapshot(
        occasion="dead",
        processes=(python(), GENERATE),
        threads=(thread(100, WAIT, body(3)), thread(200, read(0), pid=200)),
        descriptors=(_end(200, 0, "r"), _end(100, 5, "w")),
    ),
    "pipe_held_open/not_found-reads-from-its-parent": _two(
        Call(name="poll", descriptors=(7,)),
        GENERATE,
        read(0),
        _end(200, 0, "r"),
        _end(100, 5, "w"),
        occasion="patience",
    ),
    "pipe_held_open/not_found-own-child": _two(
        read(5),
        GENERATE,
        sleep(100000.0),
        _end(100, 5, "r"),
        _end(200, 1, "w"),
        frames=(COMMUNICATE,),
        occasion="patience",
    ),
    "pipe_held_open/not_found-daemon-writes": _two(
        read(5),
        DAEMON,
        WRITE,
        _end(100, 5, "r"),
        _end(201, 1, "w"),
        still=False,
        occasion="patience",
    ),
    "prompt_in_helper/found-reads-terminal": _helper(read(5)),
    "prompt_in_helper/found-polls-terminal": _helper(
        Call(name="poll", arguments=(1, 1), descriptors=(5,))
    ),
    "prompt_in_helper/found-below-other-helpers": _clone(),
    "prompt_in_helper/not_found-reads-a-file": _helper(read(6)),
    "prompt_in_helper/not_found-writes": _helper(
        Call(name="write", arguments=(5,), descriptors=(5,), writes=True)
    ),
}
