"""Looks: through the keeper, in its threads and without one; a late helper costs a gap."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from hangbisect.host._protocol import Question
from hangbisect.model import Facts, Gap, Sample
from hangbisect.watch import helper
from hangbisect.watch.front import Keeper
from hangbisect.watch.ladder import BY_NAME
from hangbisect.watch.launch import Launch
from hangbisect.watch.looker import Looker

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the keeper is for Linux"),
    # pytest itself may have threads; what is forked here execs or only looks
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]


@pytest.fixture(params=[False, True], ids=["helpers", "threads"])
def keeper(request: pytest.FixtureRequest) -> Iterator[Keeper]:
    with Keeper(in_threads=request.param) as keeper:
        keeper.start(Launch(argv=("/bin/sleep", "60"), environment=dict(os.environ)))
        yield keeper
        keeper.end()


def test_a_sample_shows_the_target_and_none_of_us(keeper: Keeper) -> None:
    target = keeper.census()[0]

    looked = keeper.look("sample", Question(root=target))

    assert looked.gap is None
    (sample,) = looked.parts
    assert isinstance(sample, Sample)
    assert [process.pid for process in sample.processes] == [target]


def test_facts_come_home_in_parts(keeper: Keeper) -> None:
    target = keeper.census()[0]

    looked = keeper.look("facts", Question(root=target, leave_out=(os.getpid(),)))

    assert looked.gap is None
    rows = [p.pid for part in looked.parts if isinstance(part, Facts) for p in part.processes]
    assert target in rows
    assert not {keeper.pid, os.getpid()} & set(rows)


def test_a_look_that_stops_the_target_is_not_taken_for_its_end(keeper: Keeper) -> None:
    target = keeper.census()[0]

    for _ in range(3):
        assert keeper.look("native", Question(root=target)).gap is None

    assert keeper.wait(0.2) == ()
    assert keeper.end().status == signal.SIGKILL


def test_a_look_goes_on_without_the_keeper() -> None:
    with Keeper() as keeper:
        target = keeper.start(Launch(argv=("/bin/sleep", "60"), environment=dict(os.environ)))
        os.kill(keeper.pid, signal.SIGKILL)
        keeper.wait(5.0)

        looked = keeper.look("sample", Question(root=target))

        assert [type(part) for part in looked.parts] == [Sample]
        assert keeper.census() == (target,)
        assert keeper.end().status == signal.SIGKILL


def test_a_looker_needs_no_keeper() -> None:
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        looking = Looker()
        looked = looking.look("sample", Question(root=process.pid))
        looking.close()
        process.kill()

    (sample,) = looked.parts
    assert isinstance(sample, Sample)
    assert [pulse.pid for pulse in sample.processes] == [process.pid]
    assert looking.pids == frozenset()


def test_what_came_until_the_deadline_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Facts(gaps=(Gap(what="first", why="a test"),))

    def slow(question: Question) -> Iterator[Facts]:
        yield first
        signal.pause()
        yield first

    hasty = msgspec.structs.replace(BY_NAME["facts"], deadline=0.3)
    monkeypatch.setitem(BY_NAME, "facts", hasty)
    monkeypatch.setitem(helper._LOOKS, "facts", slow)
    looking = Looker()
    looked = looking.look("facts", Question(root=os.getpid()))
    looking.close()

    assert looked.parts == (first,)
    assert looked.gap == Gap(what="the look 'facts'", why="it was not done after 0.3 s")
    assert looking.pids == frozenset()


def test_a_bug_in_a_look_is_a_gap_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(question: Question) -> Iterator[Facts]:
        yield Facts()
        raise KeyError("x")

    monkeypatch.setitem(helper._LOOKS, "paths", broken)
    looking = Looker()
    looked = looking.look("paths", Question(root=os.getpid()))
    looking.close()

    assert looked.parts == (Facts(),)
    assert looked.gap is not None
    assert looked.gap.why.startswith("it failed: KeyError: 'x' (test_keeper_looks.py:")
