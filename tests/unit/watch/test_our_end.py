from hangbisect.model import Snapshot, System
from hangbisect.watch.ending import Ended, Left
from hangbisect.watch.endings import with_our_end
from hangbisect.watch.merge import unrecorded_gap

STUCK = Snapshot(system=System(platform="linux", machine="x86_64"), root=7)


def test_a_target_that_we_ended_is_told_with_its_signal():
    ending = with_our_end(STUCK, Ended(killed=(7,), status=9)).ending

    assert ending is not None
    assert (ending.signal, ending.by_us) == ("SIGKILL", True)


def test_what_no_signal_ends_is_a_gap_and_not_called_ended():
    left = Left(pid=7, command="python", state="D", why="it is in a call that no signal ends")

    found = with_our_end(STUCK, Ended(left=(left,)))

    assert found.ending is None
    assert found.gaps[0].what == "the end of process 7 (python, state D)"


def test_processes_without_a_record_are_counted_in_a_gap():
    assert unrecorded_gap(0) == ()
    assert unrecorded_gap(3)[0].gaps[0].what == "flight records of 3 processes"
