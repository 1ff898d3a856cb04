"""What Python frames and the identities of locals add to a private futex."""

import pytest

from hangbisect.model import Frame, Local, Thing
from tests.unit.waits.builder import (
    frame,
    futex,
    me,
    reading,
    ref,
    running,
    text,
    thread,
    wait,
)

THREADING = "/usr/lib/python3.11/threading.py"
QUEUE = "/usr/lib/python3.11/queue.py"
FUTURES = "/usr/lib/python3.11/concurrent/futures/_base.py"
BOOTSTRAP = "<frozen importlib._bootstrap>"
MODULE = frame("<module>")


def joins(address: int, function: str = "join") -> tuple[Frame, ...]:
    return (
        MODULE,
        frame(function, THREADING, 1119, me(address)),
        frame("_wait_for_tstate_lock", THREADING, 1139, me(address)),
    )


def runs(address: int, *inner: Frame) -> tuple[Frame, ...]:
    return (
        frame("_bootstrap", THREADING, 1002, me(address)),
        frame("_bootstrap_inner", THREADING, 1045, me(address)),
        *inner,
    )


def imports(name: str, *inner: Frame) -> tuple[Frame, ...]:
    return (
        frame("_find_and_load", BOOTSTRAP, 1176, text("name", name)),
        frame("_find_and_load_unlocked", BOOTSTRAP, 1147, text("name", name)),
        frame("_load_unlocked", BOOTSTRAP, 690),
        *inner,
    )


def wants(name: str) -> tuple[Frame, ...]:
    return (
        frame("_find_and_load", BOOTSTRAP, 1173, text("name", name)),
        frame("_ModuleLockManager.__enter__", BOOTSTRAP, 170, me(9, "_ModuleLockManager")),
        frame("_ModuleLock.acquire", BOOTSTRAP, 112, me(8, "_ModuleLock")),
    )


def test_a_join_finds_the_thread_that_runs_the_same_object():
    found = wait(
        thread(100, futex(), frames=joins(0xA0)),
        thread(101, futex(), frames=runs(0xB0)),
        thread(102, futex(), frames=runs(0xA0), name="worker"),
    )

    assert (found.kind, found.on) == ("python-join", Thing(kind="join", id="102"))
    assert found.wakers == (ref(102),)
    assert found.says == "joins thread 102 (worker)"


@pytest.mark.parametrize("frames", [joins(0xA0), (MODULE, frame("join", THREADING))])
def test_a_join_of_an_unknown_thread_may_end_by_any_other(frames: tuple[Frame, ...]):
    found = wait(thread(100, futex(), frames=frames), thread(101, futex()), thread(102, futex()))

    assert found.wakers == (ref(101), ref(102))
    assert found.on == Thing(kind="join", id="")
    assert found.says == "joins a thread, and it could not be seen which"


def test_the_wait_at_the_end_of_the_interpreter_is_a_join():
    frames = (frame("_shutdown", THREADING, 1590),)

    found = wait(thread(100, futex(), frames=frames), running(101))

    assert found.kind == "python-join"
    assert found.says == "waits at the interpreter's end for threads that are not daemons"


def test_a_join_method_of_somebody_elses_file_is_none():
    found = wait(thread(100, futex(), frames=(MODULE, frame("join", "/app/pool.py"))))

    assert found.kind == "futex"


def test_a_module_that_joins_a_thread_which_imports_it_is_a_cycle():
    body = frame("<module>", "/app/a.py", 5)

    found = reading(
        thread(100, futex(), frames=(MODULE, *imports("a", body), *joins(0xA0)[1:])),
        thread(101, futex(), frames=runs(0xA0, frame("run", THREADING, 982), *wants("a"))),
        thread(102, futex()),
    )

    assert (found.hung, found.alone, found.chain.end) == (True, True, "cycle")
    assert [link.says for link in found.chain.links] == [
        "joins thread 101",
        "waits for the import lock of module a, held by the main thread",
    ]
    assert found.chain.links[1].on == Thing(kind="module", id="a")
    assert found.blamed == ref(100)


def test_who_reloads_a_module_holds_its_lock_too():
    reload = (frame("_exec", BOOTSTRAP, 603, text("name", "a")), frame("exec_module", "/x.py"))

    found = wait(
        thread(100, futex(), frames=(MODULE, *wants("a"))), thread(101, futex(), frames=reload)
    )

    assert found.wakers == (ref(101),)


def test_two_threads_that_want_a_modules_lock_do_not_hold_it():
    found = wait(
        thread(100, futex(), frames=(MODULE, *wants("a"))),
        thread(101, futex(), frames=(MODULE, *wants("a"))),
        thread(102, futex(), frames=imports("b")),
    )

    assert found.wakers == (ref(101), ref(102))
    assert found.holders == ()
    assert found.says == "waits for the import lock of module a"


def test_an_import_lock_of_which_no_frame_says_the_name_may_be_anybodys():
    frames = (MODULE, frame("acquire", BOOTSTRAP, 112))

    found = wait(thread(100, futex(), frames=frames), thread(101, futex()))

    assert (found.kind, found.on.id, found.wakers) == ("import-lock", "", (ref(101),))


def test_an_import_lock_without_any_frame_around_it_is_recognised():
    found = wait(thread(100, futex(), frames=(frame("acquire", BOOTSTRAP, 112),)))

    assert found.says == "waits for the import lock of a module"


CONDITION = frame("wait", THREADING, 320, me(0xC0, "Condition"))

OBJECTS = [
    ("queue", (frame("get", QUEUE, 171, me(0xA1, "Queue")), CONDITION), "could fill"),
    ("queue", (frame("put", QUEUE, 140, me(0xA1, "Queue")), CONDITION), "could empty"),
    ("queue", (frame("join", QUEUE, 90, me(0xA1, "Queue")), CONDITION), "could finish"),
    ("future", (frame("result", FUTURES, 451, me(0xA1, "Future")), CONDITION), "could complete"),
    (
        "barrier",
        (frame("Barrier.wait", THREADING, 9, me(0xA1, "Barrier")), CONDITION),
        "could reach",
    ),
    (
        "semaphore",
        (frame("acquire", THREADING, 4, me(0xA1, "BoundedSemaphore")), CONDITION),
        "could release",
    ),
    ("event", (frame("wait", THREADING, 607, me(0xA1, "threading.Event")), CONDITION), "could set"),
    ("event", (frame("wait", THREADING, 607), frame("wait", THREADING, 320)), "could set"),
    ("condition", (frame("wait", THREADING, 320, me(0xA1, "Condition")),), "could notify"),
    ("condition", (frame("wait", THREADING, 320),), "could notify"),
]


@pytest.mark.parametrize(("kind", "frames", "could"), OBJECTS)
def test_the_outermost_standard_function_says_what_is_waited_for(
    kind: str, frames: tuple[Frame, ...], could: str
):
    found = wait(thread(100, futex(), frames=(MODULE, *frames)), thread(101, futex()))

    assert (found.kind, found.wakers) == (kind, (ref(101),))
    assert found.on.id in ("0xa1", "run.py:3")
    assert could in found.says


def test_an_object_without_identity_or_caller_is_named_by_its_own_place():
    found = wait(thread(100, futex(), frames=(frame("wait", THREADING, 320),)))

    assert found.on == Thing(kind="condition", id="threading.py:320")


def test_a_queue_that_nobody_can_fill_is_dead():
    get = frame("get", QUEUE, 171, me(0xA1, "Queue"))

    found = reading(thread(100, futex(), frames=(MODULE, get, CONDITION)))

    assert (found.hung, found.alone, found.chain.end) == (True, True, "nobody")
    assert found.chain.links[0].says == (
        "waits for an item of a queue, and no other thread is left to fill it"
    )
    assert found.chain.links[0].holders == ()


def lock(name: str, address: int, of: str = "_thread.lock") -> Local:
    return Local(name=name, type=of, address=address)


def test_a_lock_that_another_stack_knows_is_one_lock():
    mine = frame("f", "/app/run.py", 9, lock("inner", 0xB0))
    outer = frame("g", "/app/run.py", 5, lock("held", 0xB0))
    other = frame("h", "/app/run.py", 6, lock("mine", 0xA0))

    found = reading(
        thread(100, futex(), frames=(frame("main", "/app/run.py", 2, lock("a", 0xA0)), mine)),
        thread(101, futex(), frames=(outer, other)),
        thread(102, futex()),
    )

    assert found.waits[ref(100)].holders == (ref(101),)
    assert set(found.waits[ref(100)].wakers) == {ref(101), ref(102)}
    assert (found.hung, found.chain.end) == (True, "cycle")
    assert found.chain.links[0].says == "waits for the lock `inner`, which thread 101 knows too"


def test_two_that_wait_for_one_lock_do_not_hold_it():
    mine = (frame("f", "/app/run.py", 9, lock("x", 0xB0)),)

    found = wait(thread(100, futex(), frames=mine), thread(101, futex(), frames=mine))

    assert (found.kind, found.holders) == ("lock", ())
    assert found.says == "waits for the lock `x`, which only thread 101 could release"


def test_of_several_locks_none_is_chosen():
    frames = (frame("f", "/app/run.py", 9, lock("x", 1), lock("y", 2)),)

    assert wait(thread(100, futex(), frames=frames)).kind == "futex"


def test_a_lock_without_identity_is_no_lock():
    frames = (frame("f", "/app/run.py", 9, Local(name="x", type="_thread.lock")),)

    assert wait(thread(100, futex(), frames=frames)).kind == "futex"


def test_a_simple_queue_is_a_queue_that_nobody_holds():
    frames = (frame("f", "/app/run.py", 9, lock("jobs", 0xB0, "_queue.SimpleQueue")),)

    found = wait(thread(100, futex(), frames=frames), thread(101, futex(), frames=frames))

    assert (found.kind, found.holders, found.wakers) == ("queue", (), (ref(101),))
    assert found.says == ("waits for an item of the queue `jobs`, which only thread 101 could fill")


def test_frames_say_nothing_about_a_wait_in_shared_memory():
    found = wait(thread(100, futex(private=False), frames=joins(0xA0)))

    assert found.kind == "shared-futex"


def test_the_most_telling_thread_is_followed_among_many():
    get = frame("result", FUTURES, 451, me(0xA1, "Future"))
    idle = thread(101, futex())
    monitor = thread(102, futex(timed=True), frames=(frame("run", "/app/tqdm.py"),))
    worker = thread(103, futex(), frames=runs(0xB0, *joins(0xC1)[1:]), name="worker")
    stuck = thread(104, futex(), frames=runs(0xC1))

    found = reading(thread(100, futex(), frames=(MODULE, get)), idle, monitor, worker, stuck)

    assert found.chain.threads[:3] == (ref(100), ref(103), ref(104))
    assert not found.hung


def test_a_wait_with_a_time_limit_that_nothing_explains_ends_in_its_timer():
    event = (frame("wait", THREADING, 607, me(0xA1, "Event")), CONDITION)

    found = reading(
        thread(100, futex(timed=True), frames=(MODULE, *event)), thread(101, futex()), running(102)
    )

    assert found.chain.threads == (ref(100), ref(102))
    assert found.chain.end == "running"

    found = reading(
        thread(100, futex(timed=True), frames=(MODULE, *event)),
        thread(101, futex()),
        thread(102, futex()),
    )

    assert (found.hung, found.chain.end, len(found.chain.links)) == (False, "timer", 1)


def test_a_join_beside_a_single_other_thread_can_only_be_of_that_one():
    found = wait(thread(100, futex(), frames=joins(0xA0)), thread(101, futex()))

    assert found.says == "joins a thread, which can only be thread 101"


def test_who_has_just_begun_to_ask_for_a_module_holds_nothing():
    asks = (frame("_find_and_load", BOOTSTRAP, 1170, text("name", "a")),)

    found = wait(
        thread(100, futex(), frames=(MODULE, *wants("a"))), thread(101, futex(), frames=asks)
    )

    assert found.holders == ()


def test_who_loads_a_module_holds_its_lock_though_only_one_frame_says_its_name():
    loads = (frame("_find_and_load_unlocked", BOOTSTRAP, 1147, text("name", "a")),)

    found = wait(
        thread(100, futex(), frames=(MODULE, *wants("a"))), thread(101, futex(), frames=loads)
    )

    assert found.holders == (ref(101),)
