"""A wait for a static variable of a C++ library."""

from typing import Any

from hangbisect.model import NativeFrame, Thing, ThreadRef
from tests.unit.waits.builder import futex, reading, ref, running, thread, wait

LIBRARY = "/opt/fast/fastops.so"
ASKED = 0x10100


def guard(**fields: Any):
    usual: dict[str, Any] = {"region": "library", "path": LIBRARY, "values": (ASKED, 0, 1)}
    return futex(expected=ASKED, **{**usual, **fields})


def inside(tid: int, **fields: Any):
    frames = (NativeFrame(library="/lib/libc.so.6"), NativeFrame(library=LIBRARY))
    return thread(tid, futex(address=0x9000), native=frames, **fields)


def test_a_guard_points_at_the_only_other_thread_in_the_library():
    found = wait(thread(100, guard()), inside(130), thread(140, futex()))

    assert (found.kind, found.on) == ("static-guard", Thing(kind="static-guard", id=LIBRARY))
    assert found.holders == (ref(130),)
    assert found.wakers == (ref(130), ref(140))
    assert found.says.endswith("that thread 130 is initialising")


def test_two_threads_in_the_library_are_both_possible():
    found = wait(thread(100, guard()), inside(130), inside(140))

    assert found.holders == ()
    assert found.wakers == (ref(130), ref(140))


def test_another_thread_that_waits_for_the_same_guard_does_not_initialise_it():
    frames = (NativeFrame(library=LIBRARY),)

    found = wait(thread(100, guard()), thread(140, guard(), native=frames), inside(130))

    assert found.holders == (ref(130),)


def test_a_guard_is_alive_while_any_other_thread_runs():
    assert not reading(thread(100, guard()), running(130)).hung


def test_a_word_that_reads_otherwise_or_lies_elsewhere_is_no_guard():
    others = (
        guard(values=(0x100, 0, 1)),
        guard(values=()),
        guard(region="heap", path=""),
        futex(expected=2, region="library", path=LIBRARY, values=(2, 1)),
    )

    assert {wait(thread(100, call), inside(130)).kind for call in others} == {"futex"}


def test_an_initialiser_that_waits_for_the_waiter_closes_a_circle():
    found = reading(
        thread(100, guard()),
        thread(130, futex(expected=2, owner=100, values=(2, 1, 100, 1)), libraries=(LIBRARY,)),
    )

    assert found.hung
    assert found.chain.end == "cycle"
    assert found.chain.back_to == ThreadRef(pid=100, tid=100)
