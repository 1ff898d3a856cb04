from hangbisect.model import Snapshot, System
from hangbisect.watch.giving_up import AFTERMATH, ANSWER, GivingUp
from hangbisect.watch.happenings import Exited

STALL = Snapshot(system=System(platform="linux", machine="x86_64"), root=7)


def test_the_first_request_is_a_verdict_on_the_stall_and_ends_nothing():
    giving_up = GivingUp()

    again = giving_up.ask_again(10.0, STALL, quiet_since=2.0)

    assert not again
    assert giving_up.facts is not None
    assert giving_up.facts.occasion == "interrupted"
    assert not giving_up.is_due(100.0)


def test_the_second_one_to_what_stood_still_is_due_after_time_to_answer():
    giving_up = GivingUp()
    giving_up.ask_again(10.0, STALL, quiet_since=2.0)

    assert giving_up.ask_again(12.0, STALL, quiet_since=2.0)
    assert not giving_up.is_due(12.0 + ANSWER / 2)
    assert giving_up.is_due(12.0 + ANSWER)
    assert not giving_up.is_due(99.0)


def test_a_target_that_moved_since_the_first_one_keeps_the_second():
    giving_up = GivingUp()
    giving_up.ask_again(10.0, STALL, quiet_since=2.0)

    assert not giving_up.ask_again(12.0, None, quiet_since=11.0)


def test_a_target_that_moves_after_the_second_one_goes_on():
    giving_up = GivingUp()
    giving_up.ask_again(10.0, STALL, quiet_since=2.0)
    giving_up.ask_again(12.0, STALL, quiet_since=2.0)

    giving_up.calm()

    assert not giving_up.is_due(99.0)


def test_without_a_stall_two_requests_are_the_targets_own_business():
    giving_up = GivingUp()
    giving_up.ask_again(10.0, None, quiet_since=9.5)

    assert not giving_up.ask_again(10.5, None, quiet_since=9.5)


def test_an_end_long_after_the_request_is_not_its_answer():
    giving_up = GivingUp()
    giving_up.ask(10.0, STALL)

    assert giving_up.explains(10.0 + AFTERMATH / 2)
    assert not giving_up.explains(10.0 + 2 * AFTERMATH)


def test_the_end_is_told_with_the_facts_of_the_stall():
    giving_up = GivingUp()
    giving_up.ask(10.0, STALL)

    facts = giving_up.ended(Exited(pid=7, status=2))

    assert facts is not None
    assert facts.ending is not None
    assert (facts.ending.signal, facts.ending.asked) == ("SIGINT", True)
