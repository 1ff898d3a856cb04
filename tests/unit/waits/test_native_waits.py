"""Locks and joins of the C library, the GIL, and words in memory."""

from hangbisect.model import Thing
from tests.unit.waits.builder import (
    futex,
    joining,
    owned,
    process,
    reading,
    ref,
    running,
    sleeping,
    thread,
    wait,
)


def test_a_native_join_is_ended_by_the_joined_thread_only():
    found = wait(thread(100, joining(130)), thread(130, futex(), name="backend"), running(140))

    assert (found.kind, found.on) == ("native-join", Thing(kind="join", id="130"))
    assert found.wakers == (ref(130),)
    assert found.says == "joins thread 130 (backend)"


def test_a_join_of_a_thread_that_a_fork_left_behind_ends_in_nobody():
    found = reading(thread(100, joining(77)))

    assert found.hung
    assert found.chain.end == "nobody"
    assert found.chain.links[0].says == "joins thread 77, which does not exist in this process"
    assert found.chain.links[0].holders == ()


def test_a_constructor_that_joins_a_thread_in_need_of_the_loader_lock_is_a_cycle():
    found = reading(
        thread(100, joining(130)),
        thread(130, owned(100, region="loader", path="/lib/ld.so")),
    )

    assert (found.hung, found.alone, found.chain.end) == (True, True, "cycle")
    assert found.chain.threads == (ref(100), ref(130))
    assert found.chain.back_to == found.blamed == ref(100)
    assert [link.says for link in found.chain.links] == [
        "joins thread 130",
        "waits for the loader lock, held by the main thread",
    ]
    assert [link.on.kind for link in found.chain.links] == ["join", "loader-lock"]


def test_a_mutex_that_a_thread_owns_itself_is_a_cycle_of_one():
    found = reading(thread(100, owned(100)), thread(101, futex()))

    assert found.chain.end == "cycle"
    assert found.chain.links[0].says == "waits for a mutex, held by this same thread"


def test_a_mutex_whose_owner_is_no_more_is_dead():
    found = reading(thread(100, owned(55)), thread(101, owned(55)))

    assert found.dead == {ref(100), ref(101)}
    assert found.chain.end == "nobody"
    assert found.chain.links[0].says == (
        "waits for a mutex, held by thread 55, which is no more in this process"
    )


def test_a_mutex_in_shared_memory_may_be_owned_by_another_process():
    shared = futex(private=False, expected=2, owner=200)
    rows = (thread(100, shared), thread(200, futex(), pid=200))

    found = reading(*rows, processes=(process(100), process(200, parent=100)))

    assert found.waits[ref(100)].wakers == (ref(200, 200),)
    assert found.hung


def test_a_mutex_in_shared_memory_without_a_visible_owner_is_outside():
    found = reading(thread(100, futex(private=False, expected=2, owner=200)))

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.chain.links[0].holders is None


def test_a_mutex_is_alive_while_its_owner_runs():
    found = reading(thread(100, owned(101)), running(101))

    assert (found.dead, found.chain.end) == (frozenset(), "running")


def test_the_gil_is_waited_for_from_its_holder():
    found = wait(
        thread(100, futex(), gil="waits"),
        thread(101, futex(), gil="holds", name="loader"),
        running(102),
    )

    assert (found.kind, found.wakers) == ("gil", (ref(101),))
    assert found.says == "waits for the GIL, held by thread 101 (loader)"
    assert found.roots == ()


def test_without_a_known_holder_any_thread_that_does_not_wait_for_the_gil_may_have_it():
    gil = futex(timed=True, interval=0.005, region="interpreter")

    found = wait(thread(100, gil), thread(101, gil), thread(102, futex()))

    assert (found.kind, found.wakers, found.renewed) == ("gil", (ref(102),), True)


def test_a_gil_waiter_that_is_caught_moving_does_not_bring_the_dead_to_life():
    found = reading(
        thread(100, joining(101), gil="holds"),
        thread(101, futex(timed=True), gil="waits", state="R", still=False),
    )

    assert (found.hung, found.alone, found.chain.end) == (True, True, "cycle")


def test_a_gil_waiter_beside_a_running_holder_is_alive():
    found = reading(thread(100, futex(timed=True), gil="waits", still=False), running(101))

    assert (found.hung, found.chain.end) == (False, "running")


def test_a_native_guard_against_the_gil_is_a_cycle():
    guard = futex(region="library", path="/app/fast.so")

    found = reading(
        thread(100, guard, gil="holds"), thread(101, futex(timed=True), gil="waits", still=False)
    )

    assert (found.hung, found.chain.end) == (True, "cycle")
    assert found.chain.links[0].says == (
        "waits for a lock or a signal of /app/fast.so, which only thread 101 could end"
    )


def test_a_timed_wait_of_unread_length_that_moves_in_the_interpreter_is_a_gil_waiter():
    call = futex(timed=True, region="interpreter")

    assert wait(thread(100, call, still=False)).kind == "gil"
    assert wait(thread(100, call)).kind == "futex"


def test_a_longer_timed_wait_in_the_interpreter_is_no_gil_waiter():
    found = wait(thread(100, futex(timed=True, interval=2.0, region="interpreter")))

    assert (found.kind, found.roots) == ("futex", ("timer",))


def test_a_private_futex_without_another_thread_ends_in_nobody():
    found = reading(thread(100, futex(values=(0, 1, 0, 0))))

    assert (found.hung, found.alone, found.chain.end) == (True, True, "nobody")
    assert found.chain.links[0].says == (
        "waits for a lock or a signal, and no other thread is left to end it"
    )
    assert found.chain.links[0].evidence == (
        "futex 0x7f00 in unknown memory, expects 0, words there 0 1 0 0",
    )


def test_a_private_futex_is_alive_while_any_other_thread_is():
    found = reading(thread(100, futex()), thread(101, futex()), sleeping(102))

    assert (found.hung, found.dead, found.chain.end) == (False, frozenset(), "timer")
    assert found.waits[ref(100)].says == (
        "waits for a lock or a signal, which 2 other threads of this process could end"
    )


def test_threads_that_all_wait_for_any_other_one_end_in_nobody_not_in_a_cycle():
    found = reading(thread(100, futex()), thread(101, futex()), thread(102, futex()))

    assert (found.hung, found.chain.end) == (True, "nobody")
    assert found.chain.links[0].holders == (ref(101), ref(102))


def test_a_named_semaphore_is_outside():
    call = futex(private=False, region="semaphore", path="/dev/shm/sem.job")

    found = reading(thread(100, call))

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.waits[ref(100)].on == Thing(kind="semaphore", id="/dev/shm/sem.job")


def test_a_futex_in_shared_memory_is_outside():
    found = wait(thread(100, futex(private=False, region="shared")))

    assert (found.kind, found.roots) == ("shared-futex", ("outside",))


def test_a_futex_whose_word_could_not_be_read_is_never_dead():
    call = futex()

    found = reading(thread(100, type(call)(name="futex")))

    assert (found.hung, found.chain.end) == (False, "unknown")
    assert found.waits[ref(100)].evidence == ()
