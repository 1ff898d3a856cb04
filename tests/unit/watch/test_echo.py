"""The same small read each time a program wakes is no progress."""

import platform

import pytest

from hangbisect.host.call_names import names_of
from hangbisect.model import ProcessPulse, Sample, ThreadPulse
from hangbisect.watch.echo import APART, Echo

NUMBERS = {name: number for number, name in names_of(platform.machine()).items()}
pytestmark = pytest.mark.skipif(not NUMBERS, reason="no names of calls are known for this machine")


def look(seconds, read, *, call="clock_nanosleep", received=0):
    process = ProcessPulse(pid=7, parent=1, began=100, read=read, received=received)
    line = f"{NUMBERS.get(call, 0)} 0x0 0x0 0x7ffe"
    thread = ThreadPulse(pid=7, tid=7, state="S", call=line)
    return Sample(time=seconds, processes=(process,), threads=(thread,))


def echoes(reads, apart=APART, **sample):
    """Say of each of these reads, one after the other, whether it is called a repetition."""
    echo, total, found = Echo(), 0, []
    for i, size in enumerate(reads):
        now = 100 + i * apart
        found.append(
            echo.is_one(look(now - 0.5, total, **sample), look(now, total + size, **sample))
        )
        total += size
    return found


def test_the_fourth_read_of_the_same_bytes_is_a_repetition():
    assert echoes([49, 49, 49, 49, 49]) == [False, False, False, True, True]


def test_a_read_of_another_size_begins_anew():
    assert echoes([49, 49, 49, 50, 50]) == [False] * 5


@pytest.mark.parametrize(
    ("size", "apart", "sample"),
    [
        pytest.param(49, 0.5, {}, id="reads that come without a pause"),
        pytest.param(1 << 20, APART, {}, id="large reads"),
        pytest.param(49, APART, {"call": "read"}, id="reads of a thread that waits for data"),
    ],
)
def test_what_may_be_work_is_no_repetition(size, apart, sample):
    assert echoes([size] * 6, apart, **sample) == [False] * 6


def test_what_came_from_a_connection_is_no_repetition():
    echo = Echo()

    found = [
        echo.is_one(
            look(now - 0.5, now * 49, received=now * 49),
            look(now, (now + 1) * 49, received=(now + 1) * 49),
        )
        for now in range(100, 112, 2)
    ]

    assert found == [False] * 6


def test_another_movement_makes_it_begin_anew():
    echo = Echo()
    for now in (100, 102, 104):
        echo.is_one(look(now - 0.5, now * 49), look(now, now * 49 + 49))

    echo.forget()

    assert not echo.is_one(look(105.5, 0), look(106, 49))
