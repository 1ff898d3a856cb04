from hangbisect.model import Flight, Loss
from hangbisect.watch.restarts import doomed, losses, restarters


def worker(pid, **changed):
    return Flight(
        **{"pid": pid, "parent": 7, "began": 1.0, "argv": ("python", "w"), "events": 50, **changed}
    )


def died(pid, **changed):
    return worker(pid, exception="RuntimeError", **changed)


def test_workers_that_die_again_and_again_are_doomed_and_so_is_the_next():
    flights = [died(10), died(11), died(12), worker(13, events=20)]

    assert doomed(flights) == {10, 11, 12, 13}
    assert restarters(flights, doomed(flights)) == {7}


def test_one_that_gets_further_than_the_dead_is_not_doomed():
    assert 13 not in doomed([died(10), died(11), died(12), worker(13, events=51)])


def test_two_deaths_are_no_loop():
    assert doomed([died(10), died(11), worker(12)]) == frozenset()


def test_deaths_for_different_reasons_are_no_loop():
    assert doomed([died(10), died(11), worker(12, exception="OSError")]) == frozenset()


def test_other_programs_of_the_same_parent_are_not_touched():
    flights = [died(10), died(11), died(12), worker(13, argv=("python", "other"), events=1)]

    assert 13 not in doomed(flights)


def test_a_loss_says_whose_children_die_of_what_and_which_are_still_there():
    flights = [died(10), died(11), died(12), worker(13, events=20), worker(14, parent=8)]

    found = losses(flights)

    assert found == (
        Loss(parent=7, argv=("python", "w"), exception="RuntimeError", count=3, living=(13,)),
    )


def test_what_does_not_repeat_is_no_loss():
    assert losses([died(10), died(11), worker(12)]) == ()
