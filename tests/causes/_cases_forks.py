"""Hand-made snapshots: copies by fork and vfork, workers that die, static variables."""

from typing import Any

from _parts import (
    LIB,
    LIBC,
    LIBPYTHON,
    RUN,
    body,
    frame,
    futex,
    gil,
    native,
    python,
    snapshot,
    thing,
    thread,
)

from hangbisect.model import Call, Descriptor, Loss, NativeFrame, Process, Snapshot, Thread

GOMP = "/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0"
FAST = "/opt/fastops/fastops.cpython-311-x86_64-linux-gnu.so"
WAIT = Call(name="wait4", arguments=(200,), child=200)
POOL = (GOMP, FAST, LIBPYTHON)
GUARDED = futex(0x7A00, 0x10100, region="library", path=FAST, values=(0x10100, 0, 0, 0))
SPAWNED = ("python", "-c", "from multiprocessing.spawn import spawn_main", "--multiprocessing-fork")


def _copy(**fields: Any) -> Process:
    return python(200, 100, hooked=False, **fields)


def _forked(
    call: Call,
    *threads: Thread,
    child: Process | None = None,
    shared: bool = True,
    **fields: Any,
) -> Snapshot:
    """A parent that waits for its child, and the child's only thread."""
    return snapshot(
        occasion="dead",
        processes=(python(), child or _copy()),
        threads=(
            thread(100, WAIT, body(8)),
            *threads,
            thread(200, call, body(6), pid=200, **fields),
        ),
        descriptors=tuple(_log(pid) for pid in (100, 200)) if shared else (),
    )


def _log(pid: int) -> Descriptor:
    return Descriptor(pid=pid, fd=7, kind="file", target="/tmp/log", inode=42, device=9, mode="w")


def _vforked(state: Any, child: Process) -> Snapshot:
    held = Call(name="vfork", child=200)
    return snapshot(
        processes=(python(state="D"), child),
        threads=(
            thread(100, held, body(3), state=state),
            thread(200, Call(name="pause"), pid=200, native=native(FAST, LIBPYTHON)),
        ),
    )


def _named(*libraries: str) -> tuple[NativeFrame, ...]:
    """A native stack in which the function of the library has a name."""
    frames = native(*libraries)
    return tuple(
        NativeFrame(library=row.library, symbol="registry()") if row.library == FAST else row
        for row in frames
    )


def _guarded(other: Thread, **word: Any) -> Snapshot:
    call = futex(0x7A00, 0x10100, region="library", path=FAST, **word) if word else GUARDED
    mine = thread(100, call, body(4), gil="holds", native=_named(FAST, LIBPYTHON))
    return snapshot(occasion="dead", threads=(mine, other))


def _pool(*children: Process, **tables: Any) -> Snapshot:
    event = thing("self", "threading.Event", 0x7001)
    stack = (
        body(4),
        frame("map", LIB + "multiprocessing/pool.py", 367),
        frame("wait", LIB + "multiprocessing/pool.py", 765),
        frame("wait", LIB + "threading.py", 629, event),
    )
    looks = Call(name="poll", descriptors=(5,))
    return snapshot(
        processes=(python(), *children),
        threads=(
            thread(100, futex(), *stack),
            thread(101, looks, frame("run", LIB + "threading.py", 982)),
            *(
                thread(row.pid, Call(name="running"), pid=row.pid, state="R", still=False)
                for row in children
                if row.state != "Z"
            ),
        ),
        **tables,
    )


NEXT = python(200, 100, argv=SPAWNED)
LOSS = Loss(parent=100, argv=SPAWNED, exception="RuntimeError", count=12, living=(200,))
ONE_OF_THE_POOL = thread(101, futex(0x5600), native=native(GOMP))

CASES = {
    "fork_after_threads/found-pool-of-a-library": _forked(
        futex(0x5500), ONE_OF_THE_POOL, native=native(*POOL)
    ),
    "fork_after_threads/found-mutex-of-a-lost-thread": _forked(
        futex(0x5500, 2, owner=101, values=(2, 1, 101, 0)), ONE_OF_THE_POOL, native=native(*POOL)
    ),
    "fork_after_threads/found-perhaps-started-again": _forked(
        futex(0x5500), ONE_OF_THE_POOL, native=native(*POOL), shared=False
    ),
    "fork_after_threads/found-python-lock": _forked(futex(0x5500), ONE_OF_THE_POOL),
    "fork_after_threads/not_found-started-anew": _forked(
        futex(0x5500), ONE_OF_THE_POOL, child=_copy(argv=SPAWNED), native=native(*POOL)
    ),
    "fork_after_threads/not_found-no-threads-before": _forked(futex(0x5500), native=native(*POOL)),
    "fork_after_threads/not_found-has-a-thread-of-its-own": _forked(
        futex(0x5500),
        ONE_OF_THE_POOL,
        thread(201, futex(0x5600), pid=200),
        native=native(*POOL),
    ),
    "vfork_child_stuck/found-pauses": _vforked("D", _copy()),
    "vfork_child_stuck/not_found-has-started": _vforked("D", _copy(argv=("sleep", "9"))),
    "vfork_child_stuck/not_found-not-held": _vforked("R", _copy()),
    "static_guard_deadlock/found-gil": _guarded(
        thread(101, gil(), gil="waits", native=_named(LIBC, LIBPYTHON, FAST, LIBC), still=False)
    ),
    "static_guard_deadlock/found-without-names": _guarded(
        thread(101, gil(), gil="waits", native=native(LIBC, LIBPYTHON, FAST, LIBC), still=False)
    ),
    "static_guard_deadlock/found-without-unwinding": _guarded(
        thread(101, gil(), gil="waits", libraries=(LIBC, LIBPYTHON, FAST), still=False)
    ),
    "static_guard_deadlock/not_found-still-initialising": _guarded(
        thread(101, Call(name="running"), state="R", still=False, native=native(FAST, LIBC))
    ),
    "static_guard_deadlock/not_found-another-word": _guarded(
        thread(101, gil(), gil="waits", native=native(LIBC, LIBPYTHON, FAST, LIBC), still=False),
        values=(2, 0, 0, 0),
    ),
    "worker_died/found-again-and-again": _pool(NEXT, losses=(LOSS,), moving=("CPU",)),
    "worker_died/found-killed": _pool(
        Process(pid=200, parent=100, argv=SPAWNED, state="Z", exit_status=9)
    ),
    "worker_died/not_found-ended-well": _pool(
        Process(pid=200, parent=100, argv=SPAWNED, state="Z", exit_status=0)
    ),
    "worker_died/not_found-works": _pool(NEXT),
    "worker_died/not_found-waits-for-its-end": snapshot(
        processes=(python(), Process(pid=200, parent=100, state="Z", exit_status=9)),
        threads=(thread(100, Call(name="futex"), body(3, RUN)),),
    ),
}
