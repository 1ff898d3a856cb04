"""Healthy programs that outlast the patience: they are kept, and never called proved."""

import json
import os
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from tests.process._healthy import (
    PROGRAMS,
    STILL,
    Started,
    first_of,
    groups,
    outcomes,
    report_of,
    start,
)

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")
IMPATIENT = ("--patience", "3")


@pytest.mark.parametrize("names", groups("launchers.py"), ids=first_of)
def test_a_launcher_whose_children_serve_is_kept(names: tuple[str, ...], tmp_path: Path) -> None:
    started = {
        name: start(
            (str(PROGRAMS / "launchers.py"), name), tmp_path / f"{name}.json", options=IMPATIENT
        )
        for name in names
    }

    found = outcomes(started, interrupt)

    assert {name: said[:3] for name, said in found.items()} == dict.fromkeys(
        names, (0, "hung", "likely")
    )
    assert [report_of(each)["ended"] for each in started.values()] == [False] * len(names)


def interrupt(each: Started) -> None:
    os.kill(each.pid, signal.SIGINT)


def test_a_prompt_on_the_foreground_terminal_stays_a_notice(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "hangbisect", "run", "--format", "json", "-o", str(report)]
    command += [*IMPATIENT, "--on-hang", "end", "-c", "print('hello', input('name? '))"]

    with pexpect.spawn(command[0], command[1:], encoding="utf-8", timeout=20) as terminal:
        terminal.expect_exact("name? ")
        assert terminal.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=STILL) == 0
        terminal.sendline("you")
        terminal.expect_exact("hello you")
        terminal.expect(pexpect.EOF)
    assert terminal.exitstatus == 0
    found = json.loads(report.read_text())
    assert (found["verdict"], found["certainty"]) == ("finished", None)
