"""A helper that is killed leaves no process stopped that ran before it came."""

import os
import signal
import sys

import pytest

from hangbisect.host import Question
from hangbisect.watch.helpers import Helpers
from hangbisect.watch.release import release, running
from tests.process._stuck import eventually, state, stopped, stuck

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_what_ran_before_and_is_stopped_now_goes_on() -> None:
    with stuck(sys.executable, "queue_get.py") as target:
        before = running(Question(root=target.pid))
        os.kill(target.pid, signal.SIGSTOP)
        eventually(lambda: state(target.pid), lambda letter: letter == "T")

        release(before)

        eventually(lambda: state(target.pid), lambda letter: letter == "S")


def test_what_somebody_else_had_stopped_is_none_of_ours() -> None:
    with stuck(sys.executable, "queue_get.py") as target, stopped(target.pid):
        assert running(Question(root=target.pid)) == ()


def test_a_helper_that_is_killed_in_the_middle_leaves_the_target_running() -> None:
    reading, writing = os.pipe()
    with stuck(sys.executable, "queue_get.py") as target:
        helpers = Helpers()
        helpers.begin("native", Question(root=target.pid), writing)

        helpers.kill_all()
        helpers.wait(5.0)

        assert helpers.pids == frozenset()
        eventually(lambda: state(target.pid), lambda letter: letter == "S")
    os.close(reading)
    os.close(writing)
