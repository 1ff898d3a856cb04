"""Programs that look dead and are not; dead ones beside the living."""

from typing import Any

import pytest

from hangbisect.model import Call, Frame, Socket
from hangbisect.waits import Index, stop
from hangbisect.waits._signals import handled
from tests.unit.waits.builder import (
    frame,
    futex,
    joining,
    on,
    owned,
    pipe,
    process,
    reading,
    ref,
    running,
    sleeping,
    snapshot,
    socket_fd,
    thread,
    wait_for,
)


def caught(*signals: int) -> int:
    return sum(1 << (number - 1) for number in signals)


SIGINT, SIGUSR1, SIGALRM, SIGTERM = 2, 10, 14, 15
OF_EVERY_PYTHON = caught(SIGINT, 4, 6, 7, 8, 11, 32, 33)


def test_a_queue_that_an_alarm_will_end_is_alive():
    get = (Frame(function="get", file="/usr/lib/python3.11/queue.py", line=1),)

    found = reading(
        thread(100, futex(), frames=get), processes=(process(caught=caught(SIGINT, SIGALRM)),)
    )

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.waits[ref(100)].beside == ("outside",)
    assert "a handler is set for SIGALRM" in found.chain.links[0].evidence


def test_an_event_that_a_handler_of_a_signal_sets_is_alive():
    found = reading(thread(100, futex()), processes=(process(caught=caught(SIGUSR1, 40)),))

    assert not found.hung
    assert "a handler is set for SIGUSR1, signal 40" in found.waits[ref(100)].evidence


def test_handlers_that_every_python_or_faulthandler_sets_end_no_wait():
    found = reading(thread(100, futex()), processes=(process(caught=OF_EVERY_PYTHON),))

    assert found.hung


def test_a_thread_that_blocks_the_signal_is_not_woken_by_it():
    found = reading(
        thread(100, futex(), blocked=caught(SIGTERM)),
        processes=(process(caught=caught(SIGTERM)),),
    )

    assert found.hung


def test_a_handler_wakes_others_through_the_thread_that_runs_it():
    found = reading(
        thread(100, futex()),
        thread(101, futex(), blocked=caught(SIGTERM)),
        processes=(process(caught=caught(SIGTERM)),),
    )

    assert found.dead == frozenset()


WAITS_THAT_GO_ON_AFTER_A_HANDLER: dict[str, dict[str, Any]] = {
    "a native join": {"call": joining(101)},
    "a mutex": {"call": owned(101)},
    "the GIL": {"call": futex(), "gil": "waits"},
}


@pytest.mark.parametrize("name", WAITS_THAT_GO_ON_AFTER_A_HANDLER)
def test_a_handler_that_runs_within_a_wait_may_wake_who_ends_it(name: str):
    fields = WAITS_THAT_GO_ON_AFTER_A_HANDLER[name]

    found = reading(
        thread(100, **fields),
        thread(101, futex(), blocked=caught(SIGTERM)),
        processes=(process(caught=caught(SIGTERM)),),
    )

    assert found.dead == frozenset()


def test_a_handler_that_runs_within_a_join_may_write_to_a_pipe():
    found = reading(
        thread(100, joining(101)),
        thread(101, on("read", 3), blocked=caught(SIGALRM)),
        processes=(process(caught=caught(SIGALRM)),),
        descriptors=(pipe(3, "r"), pipe(4, "w")),
    )

    assert not found.hung


def test_a_handler_does_not_end_a_join_that_nobody_is_left_to_end():
    found = reading(thread(100, joining(77)), processes=(process(caught=caught(SIGTERM)),))

    assert (found.hung, found.waits[ref(100)].roots) == (True, ())


def test_a_handler_that_no_thread_can_run_wakes_nobody():
    found = reading(
        thread(100, joining(101), blocked=caught(SIGTERM)),
        thread(101, owned(100), blocked=caught(SIGTERM)),
        processes=(process(caught=caught(SIGTERM)),),
    )

    assert found.hung


def test_the_handlers_of_every_python_leave_a_deadlock_dead():
    found = reading(
        thread(100, joining(101)),
        thread(101, owned(100, region="loader")),
        processes=(process(caught=OF_EVERY_PYTHON),),
    )

    assert (found.hung, found.alone) == (True, True)


def test_a_process_with_a_timer_of_its_own_may_be_ended_by_it():
    found = reading(
        thread(100, wait_for(200)),
        thread(200, joining(201), pid=200),
        thread(201, owned(200), pid=200),
        processes=(process(), process(200, 100, timers=1)),
    )

    assert found.dead == frozenset()
    assert found.waits[ref(200, 200)].beside == ("timer",)
    assert "the process has a timer that sends a signal" in found.waits[ref(200, 200)].evidence


def test_pause_is_alive_whatever_is_caught():
    assert not reading(thread(100, Call(name="pause"))).hung
    assert reading(thread(100, Call(name="rt_sigtimedwait"))).chain.end == "outside"


def test_a_thread_that_a_native_library_started_and_that_will_signal_keeps_main_alive():
    found = reading(thread(100, futex()), thread(101, on("ioctl", 9)))

    assert not found.hung


def test_a_thread_that_moved_between_two_looks_is_alive():
    found = reading(thread(100, futex(), still=False))

    assert (found.hung, found.chain.end) == (False, "running")


def test_a_launcher_whose_children_serve_is_not_called_hung_alone():
    listening = Socket(inode=5, family="inet", state="LISTEN", local="0.0.0.0:80")

    found = reading(
        thread(100, futex()),
        thread(200, on("accept4", 3), pid=200),
        processes=(process(), process(200, 100)),
        descriptors=(socket_fd(3, 5, 200),),
        sockets=(listening,),
    )

    assert (found.hung, found.alone) == (True, False)


def test_a_launcher_that_waits_for_a_serving_child_is_alive():
    found = reading(
        thread(100, wait_for(200)),
        thread(200, on("accept4", 3), pid=200),
        processes=(process(), process(200, 100)),
    )

    assert not found.hung


def test_launchers_above_the_target_do_not_count_as_company():
    found = reading(
        sleeping(100),
        thread(200, futex(), pid=200),
        processes=(process(), process(200, 100)),
        blame=200,
        launchers=(100,),
    )

    assert (found.main, found.hung, found.alone) == (ref(200, 200), True, True)


def test_what_a_launcher_waits_for_is_never_the_answer():
    rows = (thread(100, wait_for(200)), thread(200, futex(), pid=200))
    family = (process(python="3.11"), process(200, 100))

    below = reading(*rows, processes=family, launchers=(100,))
    alone = reading(*rows, processes=family, launchers=(100, 200))

    assert below.blamed == ref(200, 200)
    assert alone.blamed == ref(100)


def test_a_deadlocked_daemon_thread_beside_a_running_main_is_no_hang():
    found = reading(running(100), thread(101, joining(102)), thread(102, joining(101)))

    assert (found.hung, found.dead) == (False, {ref(101), ref(102)})
    assert found.chain_of(ref(101)).end == "cycle"


def test_a_running_thread_that_cannot_wake_main_makes_the_hang_likely_only():
    found = reading(thread(100, joining(101)), thread(101, joining(100)), running(102))

    assert (found.hung, found.alone) == (True, False)


def test_ended_threads_and_processes_wake_nobody():
    found = reading(
        thread(100, futex()),
        thread(101, state="Z"),
        processes=(process(), process(200, 100, state="Z")),
    )

    assert (found.hung, found.alone) == (True, True)
    assert ref(101) not in found.waits


def test_a_target_whose_main_thread_has_no_row_is_not_hung():
    found = reading(thread(101, futex()))

    assert (found.hung, found.chain.links, found.chain.end) == (False, (), "unknown")
    assert found.blamed == ref(100)


def test_threads_outside_the_tree_are_not_judged():
    found = reading(
        thread(100, futex()),
        thread(900, futex(), pid=900),
        processes=(process(), process(900, 1, inside=False)),
    )

    assert found.dead == {ref(100)}


def test_a_cycle_further_down_is_entered_where_the_blame_begins():
    found = reading(
        thread(100, wait_for(200)),
        thread(200, joining(201), pid=200),
        thread(201, joining(200), pid=200),
        processes=(process(python="3.11"), process(200, 100, python="3.11")),
    )

    assert found.chain.threads == (ref(100), ref(200, 200), ref(201, 200))
    assert (found.chain.back_to, found.blamed) == (ref(200, 200), ref(200, 200))


def test_the_chain_of_a_process_is_that_of_its_main_thread():
    found = reading(thread(100, futex()))

    assert found.chain_of(ref(0)) == found.chain
    assert found.chain_of(ref(100)) is found.chain_of(ref(0))


def test_a_process_whose_main_thread_has_ended_is_represented_by_another():
    found = reading(
        thread(100, wait_for(200)),
        thread(200, state="Z", pid=200),
        thread(201, futex(), pid=200, frames=(frame("f"),)),
        processes=(process(), process(200, 100)),
    )

    assert found.chain.threads == (ref(100), ref(201, 200))


def test_a_running_thread_is_followed_before_an_idle_native_one():
    found = reading(thread(100, futex()), thread(101, futex()), running(102))

    assert (found.chain.threads, found.chain.end) == ((ref(100), ref(102)), "running")


def test_of_a_process_without_a_row_no_handler_is_known():
    assert handled(thread(100), None) == ()


def test_of_a_process_without_a_row_nobody_knows_what_stopped_it():
    found = stop.recognise(thread(100, state="T"), Index(snapshot([], processes=())))

    assert found is not None
    assert (found.on.id, found.says) == ("unknown", "is stopped")
