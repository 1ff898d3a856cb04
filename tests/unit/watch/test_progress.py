import pytest

from hangbisect.model import ProcessPulse, Sample, ThreadPulse
from hangbisect.watch.progress import cpu_share, moved, still_threads


def process(**changed):
    return ProcessPulse(**{"pid": 7, "parent": 1, "began": 100, "command": "python", **changed})


def samples(before, after, seconds=0.5):
    return Sample(time=10.0, processes=tuple(before)), Sample(
        time=10.0 + seconds, processes=tuple(after)
    )


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"read": 1}, "bytes read"),
        ({"received": 1}, "bytes read"),
        ({"written": 1}, "bytes written"),
        ({"minor_faults": 1}, "page faults"),
        ({"major_faults": 1}, "page faults"),
        ({"descriptors": 1}, "descriptors"),
        ({"command": "nvcc"}, "a new program"),
        ({"cpu": 0.1}, "CPU"),
    ],
)
def test_what_moves_is_named(changed, name):
    assert moved(*samples([process()], [process(**changed)])) == (name,)


def test_the_little_cpu_of_a_polling_loop_is_no_progress():
    assert moved(*samples([process()], [process(cpu=0.01)])) == ()


def test_a_new_child_is_progress():
    assert moved(*samples([process()], [process(), process(pid=8, parent=7)])) == ("a new process",)


def test_a_child_that_dies_and_is_started_again_is_no_progress():
    worker = process(pid=8, parent=7)
    again = process(pid=9, parent=7, began=101)

    assert moved(*samples([process(), worker], [process(), again])) == ()


def test_a_pid_that_is_used_again_is_another_process():
    assert moved(*samples([process()], [process(began=200, parent=2)])) == ("a new process",)


def test_threads_are_still_when_call_and_switches_are_equal():
    def thread(tid, call, switches):
        return ThreadPulse(pid=7, tid=tid, state="S", call=call, switches=switches)

    before = Sample(
        time=1.0,
        threads=(
            thread(1, "202 0x1", 5),
            thread(2, "202 0x1", 5),
            thread(3, "running", 5),
            thread(4, "", 5),
        ),
    )
    after = Sample(
        time=2.0,
        threads=(
            thread(1, "202 0x1", 5),
            thread(2, "202 0x1", 6),
            thread(3, "running", 5),
            thread(4, "", 5),
        ),
    )

    assert still_threads(before, after) == {(7, 1)}


def test_cpu_is_a_share_of_one_cpu():
    assert cpu_share(*samples([process(cpu=1.0)], [process(cpu=1.25)])) == 0.5


def test_small_talk_of_a_tree_with_itself_is_no_progress():
    talk = process(read=3456, written=3456, internal=3456)

    assert moved(*samples([process()], [talk])) == ()


def test_many_bytes_between_two_ends_inside_are_work():
    size = 1 << 22

    assert "bytes read" in moved(*samples([process()], [process(read=size, internal=size)]))


def test_what_restarts_dying_children_makes_no_progress_by_that():
    child, again = process(pid=8, parent=7), process(pid=9, parent=7, began=120)

    assert (
        moved(*samples([process(), child], [process(read=9000, cpu=0.4), again]), frozenset({7}))
        == ()
    )


def with_thread(switches, cpu, call):
    row = ThreadPulse(pid=7, tid=7, state="R", call=call, switches=switches, cpu=cpu)
    return Sample(time=0.0, processes=(process(),), threads=(row,))


def test_a_thread_that_gets_little_cpu_and_never_waits_is_at_work():
    before, after = with_thread(5, 0, "running"), with_thread(5, 25_000_000, "running")

    assert moved(before, after) == ("CPU",)


def test_a_thread_that_slept_in_between_polls():
    before, after = with_thread(5, 0, "running"), with_thread(9, 25_000_000, "running")

    assert moved(before, after) == ()


def test_a_throttled_child_that_dies_again_and_again_is_not_at_work():
    before, after = with_thread(5, 0, "running"), with_thread(5, 25_000_000, "running")

    assert moved(before, after, frozenset({7})) == ()
