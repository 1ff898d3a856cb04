"""Hand-made snapshots: Python's own locks, prompts and stops."""

from _parts import (
    IMPORTLIB,
    LIB,
    RUN,
    body,
    frame,
    futex,
    importing,
    named,
    python,
    read,
    snapshot,
    thing,
    thread,
)

from hangbisect.model import Call, Descriptor, Process, Snapshot, Thread

A = "/home/user/train/plugin.py"
THREADING = LIB + "threading.py"


def _worker(*inner: object, tid: int = 101, call: Call | None = None) -> Thread:
    outer = (
        frame("Thread._bootstrap", THREADING, 1002, thing("self", "threading.Thread", 0xA1)),
        frame("Thread._bootstrap_inner", THREADING, 1045, thing("self", "threading.Thread", 0xA1)),
        frame("Thread.run", THREADING, 982, thing("self", "threading.Thread", 0xA1)),
    )
    return thread(tid, call or futex(0x6600), *outer, *inner)  # type: ignore[arg-type]


def _joins() -> Thread:
    return thread(
        100,
        futex(),
        body(2),
        *importing("plugin"),
        body(5, A),
        frame("Thread.join", THREADING, 1119, thing("self", "threading.Thread", 0xA1)),
        frame(
            "Thread._wait_for_tstate_lock", THREADING, 1139, thing("self", "threading.Thread", 0xA1)
        ),
    )


def _import_lock(module: str) -> tuple[object, ...]:
    return (
        frame("work", A, 3),
        frame("_find_and_load", IMPORTLIB, 1174, named("name", module)),
        frame("_ModuleLockManager.__enter__", IMPORTLIB, 171),
        frame("_ModuleLock.acquire", IMPORTLIB, 127),
    )


PLUGIN_LINES = (
    (RUN, 2, "import plugin"),
    (A, 3, "from plugin import VALUE"),
    (A, 4, "t = threading.Thread(target=work); t.start()"),
    (A, 5, "t.join()"),
)


def _import_lock_case(module: str) -> Snapshot:
    return snapshot(
        occasion="dead", threads=(_joins(), _worker(*_import_lock(module))), sources=PLUGIN_LINES
    )


def _waits_in(*inner: object, call: Call | None = None, line: int = 3) -> Thread:
    return thread(100, call or futex(), body(line), *inner)  # type: ignore[arg-type]


QUEUE_GET = (
    frame("Queue.get", LIB + "queue.py", 171, thing("self", "queue.Queue", 0xB1)),
    frame("Condition.wait", THREADING, 327, thing("self", "threading.Condition", 0xB2)),
)
EVENT_WAIT = (
    frame("Event.wait", THREADING, 629, thing("self", "threading.Event", 0xC1)),
    frame("Condition.wait", THREADING, 327, thing("self", "threading.Condition", 0xC2)),
)
BARRIER_WAIT = (
    frame("Barrier.wait", THREADING, 698, thing("self", "threading.Barrier", 0xD1)),
    frame("Barrier._wait", THREADING, 736, thing("self", "threading.Barrier", 0xD1)),
    frame("Condition.wait_for", THREADING, 358, thing("self", "threading.Condition", 0xD2)),
    frame("Condition.wait", THREADING, 327, thing("self", "threading.Condition", 0xD2)),
)
READS_QUEUE = ((RUN, 3, "cfg = q.get()"),)
SIGALRM = 1 << 13


def _stdin(kind: str, target: str) -> Descriptor:
    return Descriptor(
        pid=100,
        fd=0,
        kind=kind,
        target=target,
        inode=77,
        mode="r",
        inherited=True,  # type: ignore[arg-type]
    )


def _asks(text: str, *descriptors: Descriptor, **fields: object) -> Snapshot:
    return snapshot(
        threads=(thread(100, read(0), body(2), **fields),),
        descriptors=descriptors,
        sources=((RUN, 2, text),),
    )


PIPE = _stdin("pipe", "pipe:[77]")
TERMINAL = _stdin("terminal", "/dev/pts/3")
INPUT = 'answer = input("Run the custom code? [y/N] ")'


def _stopped(process: Process, call: Call | None = None, state: str = "T") -> Snapshot:
    return snapshot(
        processes=(process,),
        threads=(thread(100, call or read(0), body(3), state=state),),
        descriptors=(TERMINAL,),
        sources=((RUN, 3, "line = sys.stdin.readline()"),),
    )


ON_TERMINAL = {"terminal": 34819, "terminal_name": "/dev/pts/3"}
BACKGROUND = {**ON_TERMINAL, "group": 100, "foreground": 55}
FOREGROUND = {**ON_TERMINAL, "group": 100, "foreground": 100}

CASES = {
    "import_lock_deadlock/found-join": _import_lock_case("plugin"),
    "import_lock_deadlock/not_found-other-module": _import_lock_case("numpy"),
    "never_signalled/found-queue": snapshot(
        occasion="dead", threads=(_waits_in(*QUEUE_GET),), sources=READS_QUEUE
    ),
    "never_signalled/found-event-beside-idle-pool": snapshot(
        occasion="dead",
        threads=(_waits_in(*EVENT_WAIT), thread(101, futex(0x6600, region="library"))),
    ),
    "never_signalled/found-barrier-too-few": snapshot(
        occasion="dead",
        threads=(_waits_in(*BARRIER_WAIT), _worker(frame("work", RUN, 9), *BARRIER_WAIT)),
    ),
    "never_signalled/found-in-a-command": snapshot(
        occasion="dead", threads=(thread(100, futex(), body(2, "<string>"), *EVENT_WAIT),)
    ),
    "never_signalled/found-queue-with-stuck-producer": snapshot(
        occasion="dead",
        threads=(
            _waits_in(*QUEUE_GET),
            _worker(frame("work", RUN, 9), *EVENT_WAIT),
        ),
        sources=READS_QUEUE,
    ),
    "never_signalled/not_found-producer-runs": snapshot(
        threads=(
            _waits_in(*QUEUE_GET),
            thread(101, Call(name="running"), frame("work", RUN, 9), state="R", still=False),
        ),
        sources=READS_QUEUE,
    ),
    "never_signalled/not_found-alarm-handler": snapshot(
        processes=(python(caught=SIGALRM),), threads=(_waits_in(*QUEUE_GET),), sources=READS_QUEUE
    ),
    "prompt_on_stdin/found-input-on-pipe": _asks(INPUT, PIPE),
    "prompt_on_stdin/found-terminal": _asks("line = sys.stdin.readline()", TERMINAL),
    "prompt_on_stdin/found-plain-read": _asks("data = sys.stdin.buffer.read()", PIPE),
    "prompt_on_stdin/not_found-native-read": _asks(
        "import fastops",
        PIPE,
        native=(),
        libraries=(
            "/usr/lib/x86_64-linux-gnu/libc.so.6",
            "/opt/fastops/libfast.so",
            "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0",
        ),
    ),
    "prompt_on_stdin/not_found-other-descriptor": snapshot(
        threads=(thread(100, read(5), body(2)),),
        descriptors=(
            PIPE,
            Descriptor(pid=100, fd=5, kind="pipe", target="pipe:[90]", inode=90, mode="r"),
        ),
    ),
    "stopped_by_terminal/found-sigttin": _stopped(python(state="T", stop_signal=21, **BACKGROUND)),
    "stopped_by_terminal/found-by-call": _stopped(python(state="T", **BACKGROUND)),
    "stopped_by_terminal/not_found-sigstop": _stopped(
        python(state="T", stop_signal=19, **BACKGROUND)
    ),
    "stopped_by_terminal/not_found-foreground": _stopped(python(state="T", **FOREGROUND)),
    "stopped_by_signal/found-sigstop": _stopped(
        python(state="T", stop_signal=19), Call(name="kill", arguments=(100, 19))
    ),
    "stopped_by_signal/found-tracer": snapshot(
        processes=(
            python(state="t", tracer=300),
            Process(pid=300, parent=1, inside=False, argv=("gdb", "-p", "100"), state="S"),
        ),
        threads=(thread(100, Call(name="running"), body(3), state="t"),),
    ),
    "stopped_by_signal/found-frozen": snapshot(
        processes=(python(frozen=True),), threads=(thread(100, read(0), body(3)),)
    ),
    "stopped_by_signal/not_found-sigttin": _stopped(
        python(state="T", stop_signal=21, **BACKGROUND)
    ),
    "stopped_by_signal/not_found-traced-but-runs": snapshot(
        processes=(python(tracer=300),), threads=(_waits_in(*QUEUE_GET),)
    ),
}
