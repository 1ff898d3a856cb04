"""An armed interpreter is recorded while a watch is open, and does nothing otherwise."""

import os
import sys
import time
from pathlib import Path

import pytest

from hangbisect.errors import OutputError, UsageError
from hangbisect.follow import gate
from hangbisect.follow.hook import PTH
from hangbisect.record import Record
from tests.process._armed import Environment

PID = "import os; print(os.getpid())"
NOBODY = 65534


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    return Environment(sys.executable, tmp_path)


@pytest.fixture
def armed(env: Environment) -> Environment:
    env.arm()
    return env


def test_each_python_is_recorded_while_a_watch_is_open_and_not_otherwise(
    python: str, tmp_path: Path
) -> None:
    env = Environment(python, tmp_path)
    env.arm()

    before = env.ask(PID)
    with env.watched():
        during = env.ask("import json; " + PID)
    after = env.ask(PID)

    assert env.recorded() == {int(during)}
    assert {int(before), int(after)}.isdisjoint(env.recorded())
    events = Record(env.records).poll()
    assert ("import", "json") in {(event.what, event.name) for event in events}
    assert not env.gate.exists()


@pytest.mark.parametrize("option", ["-I", "-E", "-s"])
def test_options_that_shut_variables_out_make_no_difference(
    option: str, armed: Environment
) -> None:
    with armed.watched():
        pid = armed.ask(PID, option, variables={})

    assert armed.recorded() == {int(pid)}


def test_without_site_nothing_is_recorded(armed: Environment) -> None:
    with armed.watched():
        armed.ask(PID, "-S")

    assert armed.recorded() == set()


def test_only_wanted_command_lines_are_recorded_and_what_they_start(armed: Environment) -> None:
    (armed.work / "run.py").write_text(
        "import os, subprocess, sys\n"
        "print(os.getpid(), flush=True)\n"
        f"subprocess.run([sys.executable, '-c', {PID!r}])\n"
    )
    with armed.watched(patterns=("run.py*job",)):
        armed.ask(PID)
        ran = armed.run("run.py", "job.json")

    assert ran.stderr == ""
    assert armed.recorded() == {int(pid) for pid in ran.stdout.split()}
    assert len(armed.recorded()) == 2


def test_what_was_armed_for_other_processes_is_not_recorded(env: Environment) -> None:
    env.arm(patterns=["train.py"])
    with env.watched():
        env.ask(PID)
        wanted = env.ask(PID + " # train.py")

    assert env.recorded() == {int(wanted)}


def test_an_interpreter_whose_time_is_over_heeds_nothing(env: Environment) -> None:
    env.arm(until=int(time.time()) - 1)
    with env.watched():
        env.ask(PID)

    assert env.recorded() == set()


@pytest.mark.parametrize(
    "changed",
    [
        {"until": 1},
        {"began": "1"},
        {"watcher": 2**22 + 1},
        {"probe": "/nowhere/hangbisect/probe"},
        {"folder": "/nowhere/records"},
    ],
    ids=["expired", "another process has the pid", "gone", "uninstalled", "folder removed"],
)
def test_a_session_that_is_over_is_not_heeded(
    changed: dict[str, object], armed: Environment
) -> None:
    with armed.watched(**changed):
        assert armed.ask("print('well')") == "well\n"

    assert armed.recorded() == set()


def test_a_session_that_others_could_write_is_not_heeded(armed: Environment) -> None:
    with armed.watched():
        (armed.gate / "session").chmod(0o666)
        armed.ask(PID)
        (armed.gate / "session").chmod(0o600)
        armed.gate.chmod(0o777)
        armed.ask(PID)
        armed.gate.chmod(0o700)

    assert armed.recorded() == set()


def test_a_session_behind_a_link_is_not_heeded(armed: Environment) -> None:
    with armed.watched():
        armed.gate.rename(armed.root / "elsewhere")
        armed.gate.symlink_to(armed.root / "elsewhere")
        armed.ask(PID)
        armed.gate.unlink()
        (armed.root / "elsewhere").rename(armed.gate)
        (armed.gate / "session").rename(armed.root / "file")
        (armed.gate / "session").symlink_to(armed.root / "file")
        armed.ask(PID)

    assert armed.recorded() == set()


@pytest.mark.root
@pytest.mark.parametrize("name", ["", "session"])
def test_a_session_of_another_user_is_not_heeded(name: str, armed: Environment) -> None:
    with armed.watched():
        os.chown(armed.gate / name, NOBODY, NOBODY)
        armed.ask(PID)
        os.chown(armed.gate / name, 0, 0)

    assert armed.recorded() == set()


def test_a_pipe_in_the_place_of_the_session_does_not_block(armed: Environment) -> None:
    armed.gate.mkdir(mode=0o700)
    os.mkfifo(armed.gate / "session", 0o600)

    assert armed.ask("print('well')") == "well\n"


def test_one_watch_is_open_at_a_time_and_an_ended_one_is_replaced(env: Environment) -> None:
    with env.watched() as first, pytest.raises(UsageError, match="is watching already"):
        gate.open_session(env.session(patterns=("other",)), env.root)
    gate.open_session(env.session(began="1"), env.root)

    with env.watched() as second:
        assert gate.current(env.root) == second
        assert gate.renew(first, env.root)
        assert not gate.renew(env.session(watcher=1), env.root)

    assert not env.gate.exists()


def test_closing_leaves_the_session_of_another_watch(env: Environment) -> None:
    with env.watched() as open_one:
        gate.close_session(env.session(watcher=1), env.root)

        assert gate.current(env.root) == open_one


@pytest.mark.root
def test_a_folder_that_somebody_else_made_is_refused(env: Environment) -> None:
    env.gate.mkdir(mode=0o700)
    os.chown(env.gate, NOBODY, NOBODY)

    with pytest.raises(OutputError, match="only you may write"):
        gate.open_session(env.session(), env.root)


def test_the_line_is_harmless_without_its_module(armed: Environment) -> None:
    (armed.site / "_hangbisect_gate.py").unlink()

    with armed.watched():
        assert armed.ask("print('well')") == "well\n"
    assert (armed.site / PTH).exists()


def test_idle_nothing_of_ours_is_imported(armed: Environment) -> None:
    code = "import sys; print([name for name in sys.modules if 'hangbisect' in name])"

    assert armed.ask(code) == "[]\n"
