"""The host that any system gets, and how a host is chosen."""

import os

from hangbisect.host import Question, this_host
from hangbisect.host.portable import Portable, host
from tests.process.test_host_waits import READY, waiting


def test_a_platform_without_a_file_gets_the_portable_host() -> None:
    assert this_host("plan9") is host


def test_the_portable_host_knows_processes_and_says_what_it_does_not() -> None:
    with waiting(READY + "signal.pause()", "--mark") as pid:
        parts = tuple(Portable().facts(Question(root=pid)))
        sample = Portable().sample(Question(root=pid))

    rows = [row for part in parts for row in part.processes]
    gaps = [gap.what for part in parts for gap in part.gaps]
    assert [(row.pid, row.parent, row.argv[-1]) for row in rows] == [(pid, os.getpid(), "--mark")]
    assert "holders of file locks" in gaps
    assert [pulse.pid for pulse in sample.processes] == [pid]


def test_a_process_that_is_no_more_has_no_row() -> None:
    question = Question(root=2**22 + 1)

    assert [part.processes for part in Portable().facts(question)] == [(), ()]
    assert Portable().sample(question).processes == ()
