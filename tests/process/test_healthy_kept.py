"""Healthy programs that outlast the patience: they are kept, and never called proved."""

import ctypes
import json
import os
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from tests.process._healthy import (
    FINE,
    PROGRAMS,
    STILL,
    Started,
    finish,
    first_of,
    groups,
    outcomes,
    report_of,
    start,
)

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")
IMPATIENT = ("--patience", "2")


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


def test_what_is_stopped_for_a_while_is_not_called_hung(tmp_path: Path) -> None:
    computes = (str(PROGRAMS / "company.py"), "much_is_computed")
    started = {how: start(computes, tmp_path / f"{how}.json") for how in ("traced", "stopped")}
    traced, stopped = started["traced"].pid, started["stopped"].pid
    if not trace(SEIZE, traced):
        finish(started["traced"])
        finish(started["stopped"])
        pytest.skip("no right to trace")
    trace(INTERRUPT, traced)
    os.waitpid(traced, 0)
    os.kill(stopped, signal.SIGSTOP)

    def let_go(each: Started) -> None:
        if each.pid == traced:
            trace(DETACH, traced)
        else:
            os.kill(stopped, signal.SIGCONT)

    found = outcomes(started, let_go)

    assert found == dict.fromkeys(started, FINE)


SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
"""Requests of a debugger: ptrace(2)."""


def trace(request: int, pid: int) -> bool:
    """Act as a debugger; tell whether that was allowed."""
    call = ctypes.CDLL(None).ptrace
    call.argtypes = [ctypes.c_long] * 4
    return int(call(request, pid, 0, 0)) == 0
