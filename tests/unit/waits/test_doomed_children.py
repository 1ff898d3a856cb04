"""Children that die like all before them are never the answer."""

from hangbisect.model import Loss
from tests.unit.waits.builder import process, reading, ref, running, thread, wait_for

LOSS = Loss(parent=100, argv=("python", "w"), exception="RuntimeError", count=5, living=(200,))


def blamed(child: int, **fields: object):
    own = {"python": "3.11", "hooked": True, **fields}
    return reading(
        thread(100, wait_for(child)),
        running(child, child),
        processes=(process(python="3.11"), process(child, 100, **own)),
        losses=(LOSS,),
    ).blamed


def test_the_parent_answers_for_a_worker_that_will_die_like_the_others():
    assert blamed(200) == ref(100)


def test_a_new_worker_counts_before_and_after_its_probe_is_up():
    assert blamed(201, hooked=False) == ref(100)
    assert blamed(202, argv=("python", "w")) == ref(100)


def test_another_child_of_the_same_parent_answers_for_itself():
    assert blamed(203, argv=("python", "other")) == ref(203, 203)
