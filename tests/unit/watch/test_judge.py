from hangbisect import waits
from hangbisect.model import Call, Process, Snapshot, System, Thread
from hangbisect.watch.judge import judge, sleeps_until

PID = 7


def sleeping(*, since=None, taken=20.0, occasion="patience", **call):
    """A target whose only thread has slept since 10 s, or in beats (`since` is None)."""
    nap = Call(name="clock_nanosleep", timed=True, **call)
    return Snapshot(
        system=System(platform="linux", machine="x86_64"),
        root=PID,
        blame=PID,
        taken=taken,
        quiet_since=10.0,
        occasion=occasion,
        processes=(Process(pid=PID, parent=1, python="3.11"),),
        threads=(Thread(pid=PID, tid=PID, state="S", call=nap, still=True, since=since),),
    )


def test_one_sleep_since_all_is_quiet_goes_on_until_its_deadline():
    snapshot = sleeping(since=10.5, deadline=90.0)

    assert sleeps_until(snapshot, waits.read(snapshot)) == 90.0
    assert judge(snapshot, waits.read(snapshot)) == ("slow", None)


def test_where_only_the_length_is_known_it_ends_no_later_than_that_from_now_on():
    snapshot = sleeping(since=10.5, interval=60.0)

    assert sleeps_until(snapshot, waits.read(snapshot)) == 70.5


def test_a_sleep_that_ended_and_began_again_is_the_beat_of_a_loop():
    snapshot = sleeping(since=None, deadline=90.0)

    assert sleeps_until(snapshot, waits.read(snapshot)) is None
    assert judge(snapshot, waits.read(snapshot)) == ("hung", "likely")


def test_a_deadline_that_is_over_promises_nothing():
    snapshot = sleeping(since=10.5, deadline=15.0)

    assert sleeps_until(snapshot, waits.read(snapshot)) is None


def test_who_attaches_is_told_that_a_sleep_ends():
    snapshot = sleeping(since=10.5, deadline=90.0, occasion="attached")

    assert judge(snapshot, waits.read(snapshot)) == ("slow", None)
