"""Healthy programs that look dead: none is called hung, and each comes to its own end."""

import os
import signal
from pathlib import Path

import pytest

from tests.process._healthy import FINE, PROGRAMS, Started, first_of, groups, outcomes, start

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")


def run(file: str, names: tuple[str, ...], folder: Path) -> dict[str, Started]:
    """Start programs of a file; each gets a path of its own as its argument."""
    return {
        name: start((str(PROGRAMS / file), name, str(folder / name)), folder / f"{name}.json")
        for name in names
    }


@pytest.mark.parametrize("names", groups("timers.py"), ids=first_of)
def test_what_time_will_end_is_not_called_hung(names: tuple[str, ...], tmp_path: Path) -> None:
    started = run("timers.py", names, tmp_path)

    found = outcomes(started)

    assert found == dict.fromkeys(names, FINE)


@pytest.mark.parametrize("names", groups("company.py"), ids=first_of)
def test_what_other_threads_or_processes_will_end_is_not_called_hung(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    started = run("company.py", names, tmp_path)

    found = outcomes(started)

    assert found == dict.fromkeys(names, FINE)


@pytest.mark.parametrize("names", groups("signals.py"), ids=first_of)
def test_what_a_signal_will_end_is_not_called_hung(names: tuple[str, ...], tmp_path: Path) -> None:
    started = run("signals.py", names, tmp_path)

    found = outcomes(started, send_signal)

    assert found == dict.fromkeys(names, FINE)


def send_signal(each: Started) -> None:
    if each.words == ("signal",):
        os.kill(each.pid, signal.SIGUSR1)
