"""Hand-made snapshots: threads that run, and loops that wait for events."""

from typing import Any

from _parts import (
    LIB,
    LIBC,
    LIBPYTHON,
    LOADER,
    RUN,
    body,
    creating,
    frame,
    futex,
    native,
    python,
    snapshot,
    thing,
    thread,
)
from _parts import named as text

from hangbisect.model import Call, Descriptor, Frame, NativeFrame, Repeat, Snapshot, Socket, Thread

FAST = "/opt/fastops/fastops.cpython-311-x86_64-linux-gnu.so"
SIGALRM = 1 << 13
RUNNING = Call(name="running")
POLLS_FLAG = ((RUN, 3, "while not device.ready: pass"),)
MATCHES = ((RUN, 3, 'ok = re.match(r"^(a+)+$", version)'),)
USES = ((RUN, 3, "ok = VERSION.match(version)"),)
IN_RE = frame("match", LIB + "re/__init__.py", 166, text("pattern", "^(a+)+$"))
ENGINE = NativeFrame(library=LIBPYTHON, symbol="sre_ucs1_match")


def _runs(states: int, *frames: Frame, fresh: int = 0, **tables: Any) -> Snapshot:
    fields = tables.pop("fields", {})
    row = thread(100, RUNNING, body(3), *frames, state="R", still=False, gil="holds", **fields)
    repeat = Repeat(pid=100, tid=100, samples=250, states=states, fresh=fresh)
    return snapshot(threads=(row,), repeats=(repeat,), moving=("CPU",), **tables)


def _loop(future: str = "_asyncio.Task") -> tuple[Frame, ...]:
    events, runners = LIB + "asyncio/base_events.py", LIB + "asyncio/runners.py"
    return (
        body(7),
        frame("run", runners, 190),
        frame("run_until_complete", events, 640, thing("future", future, 0xF1)),
        frame("run_forever", events, 607),
        frame("_run_once", events, 1884),
        frame("select", LIB + "selectors.py", 468),
    )


SELF_PIPE = (
    Descriptor(pid=100, fd=3, kind="epoll", target="anon_inode:[eventpoll]", watched=(4,)),
    Descriptor(pid=100, fd=4, kind="socket", target="socket:[70]", inode=70, mode="rw"),
    Descriptor(pid=100, fd=5, kind="socket", target="socket:[71]", inode=71, mode="rw"),
)
PAIR = (
    Socket(inode=70, family="unix", state="ESTABLISHED", peer=71, timeout=0.0),
    Socket(inode=71, family="unix", state="ESTABLISHED", peer=70, timeout=0.0),
)
OUTER = Socket(inode=72, family="inet", state="LISTEN", local="0.0.0.0:80")
AWAITS = ((RUN, 7, "asyncio.run(main())"),)


def _waits(
    *others: Thread, frames: tuple[Frame, ...] = (), call: Call | None = None, **tables: Any
) -> Snapshot:
    selects = call or Call(name="epoll_wait", arguments=(3,), descriptors=(4,))
    tables.setdefault("descriptors", SELF_PIPE)
    tables.setdefault("sockets", PAIR)
    return snapshot(
        occasion="dead",
        threads=(thread(100, selects, *(frames or _loop())), *others),
        sources=AWAITS,
        **tables,
    )


def _worker(tid: int, *frames: Frame) -> Thread:
    return thread(tid, futex(0x6600), *frames)


IDLE = frame("_worker", LIB + "concurrent/futures/thread.py", 81)
TRIO = "/opt/venv/lib/python3.11/site-packages/trio/_core/"

CASES = {
    "busy_loop/found-in-python": _runs(3, sources=POLLS_FLAG),
    "busy_loop/found-in-a-library": _runs(
        2, fields={"native": native(FAST, LIBPYTHON)}, sources=POLLS_FLAG
    ),
    "busy_loop/found-by-a-person": _runs(3, sources=POLLS_FLAG, occasion="interrupted"),
    "busy_loop/not_found-computes": _runs(250, fresh=125, sources=POLLS_FLAG),
    "busy_loop/not_found-constructor": _runs(
        2, *creating("fastops"), fields={"native": native(FAST, LOADER, LIBC, LIBPYTHON)}
    ),
    "regex_backtracking/found-frame-of-re": _runs(250, IN_RE, fresh=125, sources=MATCHES),
    "regex_backtracking/found-compiled-before": _runs(
        250, fresh=125, fields={"native": (*native(LIBPYTHON), ENGINE)}, sources=USES
    ),
    "regex_backtracking/found-by-a-person": _runs(
        250, IN_RE, fresh=125, sources=MATCHES, occasion="interrupted"
    ),
    "regex_backtracking/not_found-compiles": _runs(
        250, frame("parse", LIB + "re/_parser.py", 960), fresh=125, sources=MATCHES
    ),
    "regex_backtracking/not_found-calls-back": _runs(
        250, IN_RE, frame("replace", RUN, 12), fresh=125, sources=MATCHES
    ),
    "event_loop_idle/found-coroutine": _waits(),
    "event_loop_idle/found-future": _waits(frames=_loop("_asyncio.Future")),
    "event_loop_idle/found-beside-idle-workers": _waits(_worker(101, IDLE), _worker(102, IDLE)),
    "event_loop_idle/found-beside-a-stuck-thread": _waits(
        _worker(101, IDLE, frame("load", RUN, 30))
    ),
    "event_loop_idle/found-trio": _waits(
        frames=(
            body(7),
            frame("run", TRIO + "_run.py", 2400),
            frame("get_events", TRIO + "_io_epoll.py", 210),
        ),
        call=Call(
            name="epoll_wait", arguments=(3,), descriptors=(4,), timed=True, interval=86400.0
        ),
    ),
    "event_loop_idle/not_found-own-connection": _waits(
        call=Call(name="epoll_wait", arguments=(3,), descriptors=(4, 6)),
        descriptors=(
            *SELF_PIPE,
            Descriptor(pid=100, fd=6, kind="socket", target="socket:[72]", inode=72, mode="rw"),
            Descriptor(pid=100, fd=7, kind="socket", target="socket:[73]", inode=73, mode="rw"),
        ),
        sockets=(
            *PAIR,
            Socket(
                inode=72,
                family="inet",
                state="ESTABLISHED",
                local="127.0.0.1:40000",
                remote="127.0.0.1:80",
                peer=73,
            ),
            Socket(inode=73, family="inet", state="LISTEN", local="127.0.0.1:80"),
        ),
    ),
    "event_loop_idle/not_found-timer": _waits(
        call=Call(name="epoll_wait", arguments=(3,), descriptors=(4,), timed=True, interval=5.0)
    ),
    "event_loop_idle/not_found-server": _waits(
        call=Call(name="epoll_wait", arguments=(3,), descriptors=(4, 6)),
        descriptors=(
            *SELF_PIPE,
            Descriptor(pid=100, fd=6, kind="socket", target="socket:[72]", inode=72, mode="rw"),
        ),
        sockets=(*PAIR, OUTER),
    ),
    "event_loop_idle/not_found-signal-handler": _waits(processes=(python(caught=SIGALRM),)),
}
