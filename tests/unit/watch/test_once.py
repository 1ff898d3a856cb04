"""What is told of the programs below a command: each incident once, of who is to blame."""

from dataclasses import dataclass, field

import pytest

from hangbisect import waits
from hangbisect.model import Call, Process, Snapshot, Step, System, Thread
from hangbisect.watch.family import Being
from hangbisect.watch.once import Once


@dataclass
class Crowd:
    beings: dict = field(default_factory=dict)


def being(pid, parent, *argv, rank=""):
    return Being(pid=pid, began=pid, parent=parent, python=True, argv=argv, rank=rank)


def crowd(*beings):
    return Crowd({each.pid: each for each in beings})


def incident(pid, name="wait()", *, dead=False):
    call = Call(name="futex" if dead else "clock_nanosleep", timed=not dead)
    step = Step(pid=pid, kind="statement", name=name, file="run.py", line=1)
    snapshot = Snapshot(
        system=System(platform="linux", machine="x86_64"),
        root=pid,
        processes=(Process(pid=pid, parent=1, python="3.11", hooked=True, step=step),),
        threads=(Thread(pid=pid, tid=pid, state="S", still=True, call=call),),
    )
    return pid, snapshot, waits.read(snapshot)


def test_an_incident_is_told_once_and_again_at_another_place():
    once = Once(crowd(being(2, 1, "python", "run.py")))

    told = [once.may(*incident(2)), once.may(*incident(2)), once.may(*incident(2, "other()"))]

    assert told == [True, False, True]


@pytest.mark.parametrize("launcher", ["torchrun", "gui.py"])
def test_who_has_programs_below_it_is_never_out_of_patience(launcher):
    once = Once(crowd(being(2, 1, "python", f"/ve/{launcher}"), being(3, 2, "python", "run.py")))

    assert not once.may(*incident(2))
    assert once.may(*incident(3))


def test_a_rank_is_not_blamed_beside_a_fellow_that_was_told_of():
    agent = being(2, 1, "python", "/ve/torchrun")
    ranks = [being(pid, 2, "python", "train.py", rank=str(pid)) for pid in (3, 4)]
    once = Once(crowd(agent, *ranks))

    assert once.may(*incident(4))
    assert not once.may(*incident(3))


def test_a_worker_that_only_waits_is_not_told_of():
    worker = being(3, 2, "python", "-c", "x", "--multiprocessing-fork")
    once = Once(crowd(being(2, 1, "python", "run.py"), worker))

    assert not once.may(*incident(3))
