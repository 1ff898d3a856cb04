from hangbisect.host import Question
from hangbisect.model import Facts, Frame, Process, Repeat, Snapshot, System, Thread
from hangbisect.watch.looker import Looked
from hangbisect.watch.spin import CIRCLE, Spin

QUESTION = Question(root=7)


def looks(digests):
    """Show one digest after the other."""
    rest = iter(digests)
    return lambda name, question: Looked(
        parts=(Facts(threads=(Thread(pid=7, tid=7, digest=next(rest)),)),)
    )


def watched(digests):
    spin = Spin(looks(digests))
    return spin, [spin.changed(QUESTION, 10.0 * at) for at in range(len(digests))]


def snapshot(*threads, repeats=()):
    return Snapshot(
        system=System(platform="linux", machine="x86_64"),
        root=7,
        processes=(Process(pid=7, parent=1),),
        threads=threads,
        repeats=repeats,
    )


def main(**changed):
    return Thread(**{"pid": 7, "tid": 7, "state": "R", "digest": "a", **changed})


def spinning(tid):
    return Repeat(pid=7, tid=tid, samples=250, states=2, fresh=0)


def test_a_few_stacks_in_turn_are_no_change():
    _, changes = watched(["a", "b", "a", "b", "b", "a"] * 10)

    assert not any(changes)


def test_stacks_that_are_always_new_are_work():
    _, changes = watched([str(n) for n in range(3 * CIRCLE)])

    assert changes.count(True) == 2 * CIRCLE


def test_states_that_come_again_make_a_spin():
    spin, _ = watched(["a"])

    assert spin.is_spin(snapshot(main(), repeats=(spinning(7),)))


def test_work_with_one_stack_is_no_spin():
    spin, _ = watched(["a"])
    fresh = Repeat(pid=7, tid=7, samples=250, states=240, fresh=120)

    assert not spin.is_spin(snapshot(main(), repeats=(fresh,)))


def test_a_main_thread_that_spins_while_another_works_for_it_is_not_called():
    spin, _ = watched(["a"])
    helper = Thread(pid=7, tid=8, state="R")

    assert not spin.is_spin(snapshot(main(), helper, repeats=(spinning(7),)))


def test_one_call_of_the_regex_engine_is_called_without_machine_states():
    spin, _ = watched(["a"])
    frames = (Frame(function="match", file="/usr/lib/python3.11/re/__init__.py", line=166),)

    assert spin.is_spin(snapshot(main(frames=frames)))
