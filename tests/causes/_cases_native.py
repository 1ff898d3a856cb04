"""Hand-made snapshots: native code, the loader and the GIL."""

from typing import Any

from _parts import (
    LIBC,
    LIBPYTHON,
    LOADER,
    RUN,
    body,
    creating,
    frame,
    futex,
    gil,
    native,
    read,
    snapshot,
    thread,
)

from hangbisect.model import Call, Descriptor, Snapshot, Thread

FAST = "/opt/fastops/fastops.cpython-311-x86_64-linux-gnu.so"
TELEMETRY = "/opt/fastops/libtelemetry.so"
CONSTRUCTOR = (LIBC, FAST, LOADER, LIBC, LOADER, LIBC, LIBPYTHON)
INIT = (LIBC, FAST, LIBPYTHON)
SOURCES = ((RUN, 3, "import fastops"),)


def _loads(call: Call, stack: tuple[str, ...] = CONSTRUCTOR, **fields: Any) -> Thread:
    fields.setdefault("native", native(*stack))
    return thread(100, call, body(3), *creating("fastops"), **fields)


def _case(*threads: Thread, **tables: Any) -> Snapshot:
    return snapshot(occasion="dead", threads=threads, sources=SOURCES, **tables)


def _at_loader(owner: int, tid: int = 101) -> Thread:
    word = futex(0x7E00, 2, region="loader", path=LOADER, owner=owner, values=(2, 1, owner, 1))
    return thread(tid, word, native=native(LIBC, LOADER, LIBC, FAST, LIBC))


def _wants_gil(tid: int = 101) -> Thread:
    return thread(tid, gil(), native=native(LIBC, LIBPYTHON, FAST, LIBC), still=False)


def _join(tid: int = 101) -> Call:
    return futex(0x5500, tid, region="anonymous", joins=tid)


PIPE_ENDS = (
    Descriptor(pid=100, fd=5, kind="pipe", target="pipe:[90]", inode=90, mode="r"),
    Descriptor(pid=100, fd=6, kind="pipe", target="pipe:[90]", inode=90, mode="w"),
)
TRANSITIVE = (LIBC, TELEMETRY, LOADER, LIBC, LIBPYTHON)

CASES = {
    "loader_lock_deadlock/found-join": _case(_loads(_join()), _at_loader(100)),
    "loader_lock_deadlock/found-without-unwinding": _case(
        _loads(_join(), native=(), libraries=CONSTRUCTOR), _at_loader(100)
    ),
    "loader_lock_deadlock/found-gil-in-opposite-order": _case(
        thread(
            100,
            futex(0x7E00, 2, region="loader", path=LOADER, owner=101, values=(2, 1, 101, 1)),
            body(3),
            gil="holds",
            native=native(LIBC, LOADER, LIBC, FAST, LIBPYTHON),
        ),
        thread(101, gil(), native=native(LIBC, LIBPYTHON, FAST, LOADER, LIBC, LIBC), gil="waits"),
    ),
    "loader_lock_deadlock/not_found-owner-runs": _case(
        _loads(Call(name="running"), state="R", still=False), _at_loader(100)
    ),
    "loader_lock_deadlock/not_found-plain-thread": _case(
        _loads(_join()), thread(101, futex(0x6600, region="library", path=FAST))
    ),
    "constructor_blocks/found-condition": _case(_loads(futex(0x5500, region="library", path=FAST))),
    "constructor_blocks/found-transitive-pipe": _case(
        _loads(read(5), TRANSITIVE), descriptors=PIPE_ENDS
    ),
    "constructor_blocks/found-words-on-the-stack": _case(
        _loads(read(5), native=(), libraries=TRANSITIVE), descriptors=PIPE_ENDS
    ),
    "constructor_blocks/not_found-module-init": _case(
        _loads(futex(0x5500, region="library", path=FAST), INIT)
    ),
    "constructor_blocks/not_found-loader-circle": _case(_loads(_join()), _at_loader(100)),
    "constructor_blocks/not_found-at-exit": _case(
        thread(100, read(5), native=native(LIBC, FAST, LOADER, LIBC, LIBC)), descriptors=PIPE_ENDS
    ),
    "gil_held_by_native_call/found-init-joins": _case(_loads(_join(), INIT), _wants_gil()),
    "gil_held_by_native_call/found-unnamed-wait": _case(
        thread(
            100,
            futex(0x5500, region="library", path=FAST),
            body(4),
            native=native(LIBC, FAST, LIBPYTHON),
            gil="holds",
        ),
        thread(101, gil(), frame("work", RUN, 9), gil="waits"),
    ),
    "gil_held_by_native_call/found-takes-a-mutex-twice": _case(
        thread(
            100,
            futex(0x5500, 2, region="library", path=FAST, owner=100, values=(2, 1, 100, 1)),
            body(4),
            native=native(LIBC, FAST, LIBPYTHON),
            gil="holds",
        ),
        thread(101, gil(), frame("work", RUN, 9), gil="waits", still=False),
    ),
    "gil_held_by_native_call/not_found-takes-a-mutex-twice-alone": _case(
        thread(
            100,
            futex(0x5500, 2, region="library", path=FAST, owner=100, values=(2, 1, 100, 1)),
            body(4),
            native=native(LIBC, FAST, LIBPYTHON),
            gil="holds",
        ),
    ),
    "gil_held_by_native_call/not_found-released": _case(
        _loads(_join(), INIT, gil=None),
        thread(101, gil(), gil="waits"),
        thread(102, Call(name="running"), body(9), gil="holds", state="R", still=False),
    ),
    "gil_held_by_native_call/not_found-joins-worker": _case(
        _loads(_join(), INIT), thread(101, futex(0x6600, region="library", path=FAST))
    ),
}
