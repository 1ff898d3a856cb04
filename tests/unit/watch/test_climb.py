"""Which passive looks are taken, and when they are taken again."""

import pytest

from hangbisect.host import Question
from hangbisect.model import Call, Facts, Sample, Thread, ThreadPulse
from hangbisect.watch.climb import AGAIN, passive
from hangbisect.watch.looker import Looked

ASLEEP = Thread(pid=7, tid=7, state="S", call=Call(name="clock_nanosleep", timed=True))
AWAKE = Thread(pid=7, tid=7, state="R", call=Call(name="running"))


class Eyes:
    """Give each look what was prepared for it, and count the looks."""

    def __init__(self, before, *seen):
        self.before = before
        self.seen = list(seen)
        self.looks = []

    def look(self, name, question):
        self.looks.append(name)
        if name == "sample":
            pulse = ThreadPulse(pid=7, tid=7, state=self.before)
            return Looked(parts=(Sample(time=1.0, threads=(pulse,)),))
        if name == "facts":
            return Looked(parts=(Facts(threads=(self.seen.pop(0),)),))
        return Looked()


@pytest.mark.parametrize(
    ("before", "seen", "looks"),
    [
        pytest.param("S", [ASLEEP], 1, id="a sleeper"),
        pytest.param("S", [AWAKE, ASLEEP], 2, id="a sleeper that was met awake"),
        pytest.param("S", [AWAKE] * 9, AGAIN + 1, id="one that has begun to run"),
        pytest.param("R", [AWAKE], 1, id="one that runs all the time"),
    ],
)
def test_facts_are_asked_for_again_while_a_sleeper_is_met_awake(before, seen, looks):
    eyes = Eyes(before, *seen)

    passive(eyes.look, Question(root=7))

    assert eyes.looks.count("facts") == looks


def test_what_was_seen_last_is_what_counts():
    eyes = Eyes("S", AWAKE, ASLEEP)

    seen = passive(eyes.look, Question(root=7))

    assert [thread for part in seen.parts for thread in part.threads] == [ASLEEP]
