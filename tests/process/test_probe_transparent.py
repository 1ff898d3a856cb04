"""A program with the probe in it does and says what it does and says without."""

import sys
from pathlib import Path

import pytest

from tests.process._probed import INJECT, PROGRAMS, Room

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="run on Linux only so far")

PROGRAMS_RUN = {
    "identity": ("identity.py", "--flag", "value"),
    "an uncaught error": ("uncaught.py",),
    "imports that raise": ("import_raises.py",),
    "warnings": ("warns.py",),
    "an exit code": ("exits.py", "code"),
    "an exit text": ("exits.py", "text"),
    "os._exit": ("exits.py", "at-once"),
    "a signal": ("exits.py", "signal"),
    "Ctrl-C": ("exits.py", "interrupt"),
    "fork workers": ("workers.py", "fork"),
    "spawn workers": ("workers.py", "spawn"),
    "forkserver workers": ("workers.py", "forkserver"),
    "pickles": ("pickles.py",),
    "recursion": ("recursion.py",),
    "descriptors": ("descriptors.py",),
    "order at the end": ("order.py",),
    "a tracer": ("traced.py",),
    "lazy and zipped imports": ("lazy.py",),
}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.mark.parametrize("program", PROGRAMS_RUN.values(), ids=PROGRAMS_RUN)
def test_a_program_ends_and_says_the_same(
    python: str, room: Room, program: tuple[str, ...]
) -> None:
    name, *arguments = program
    command = [python, str(PROGRAMS / name), *arguments]

    bare, probed = room.both(command)

    assert probed == bare
    assert room.record.flights(), "the probe was not there"
    assert all("probe" not in note for flight in room.record.flights() for note in flight.notes)


def test_an_error_from_a_signal_handler_is_let_through(python: str, room: Room) -> None:
    probed = room.run([python, str(PROGRAMS / "interrupted.py")], probed=True)
    came, module = probed.output.split()

    # One that arrives in a weakref callback of importlib's own is lost, bare as well.
    assert int(came) > 140
    assert module == "sched"
    assert "_hangbisect" not in probed.errors


HOW = {
    "-c": ("-c", "import json, sys; print(sys.argv, sys.path[0], __name__); 1 / 0", "x"),
    "-m": ("-m", "json.tool", "--help"),
    "-m in a folder": ("-m", "uncaught"),
    "-P like": ("-s", "-B", "-c", "print(1)"),
    "a missing script": ("no_such_script.py",),
    "optimised": ("-O", "-c", "assert False; print(__debug__)"),
    "development mode": ("-X", "dev", "-c", "import faulthandler as f; print(f.is_enabled())"),
}


@pytest.mark.parametrize("arguments", HOW.values(), ids=HOW)
def test_every_way_to_start_a_program_works(
    python: str, room: Room, arguments: tuple[str, ...]
) -> None:
    (room.work / "uncaught.py").write_text((PROGRAMS / "uncaught.py").read_text())

    bare, probed = room.both([python, *arguments])

    assert probed == bare
    assert room.record.flights()


def test_a_script_from_stdin_works(python: str, room: Room) -> None:
    bare, probed = room.both([python], given="import json\nprint(__name__, json.dumps(1))\n1 / 0\n")

    assert probed == bare
    assert room.record.flights()


def test_a_debugger_stops_at_the_same_lines(python: str, room: Room) -> None:
    command = [python, str(PROGRAMS / "debugged.py")]

    bare, probed = room.both(command, given="where\nn\nn\np y\nc\n")

    assert probed == bare


@pytest.mark.parametrize("option", ["-I", "-E", "-S"])
def test_options_that_keep_us_out_are_respected(python: str, room: Room, option: str) -> None:
    bare, probed = room.both([python, option, "-c", "import sys; print(sorted(sys.modules))"])

    assert probed == bare
    assert room.record.flights() == ()


def test_without_a_record_folder_nothing_is_loaded(python: str, room: Room) -> None:
    command = [python, "-c", "import sys; print(sorted(sys.modules))"]

    bare = room.run(command, probed=False)
    gated = room.run(command, probed=False, extra={"PYTHONPATH": str(INJECT)})

    assert [name for name in gated.output.split() if "_hangbisect" in name] == []
    assert gated.errors == bare.errors


def test_only_a_short_list_of_modules_is_loaded(python: str, room: Room) -> None:
    command = [python, "-c", "import sys; print(*sorted(sys.modules), sep='\\n')"]

    bare, probed = room.both(command)

    more = set(probed.output.split()) - set(bare.output.split())
    foreign = {name for name in more if not name.startswith("_hangbisect_probe")}
    assert foreign <= {"mmap", "_struct", "faulthandler", "itertools", "atexit"}
    assert set(bare.output.split()) <= set(probed.output.split())


def test_a_missing_sitecustomize_is_missing_as_ever(python: str, room: Room) -> None:
    code = (
        "import importlib, sys\n"
        "print('sitecustomize' in sys.modules)\n"
        "for _ in range(2):\n"
        "    try: import sitecustomize\n"
        "    except ImportError as error: print(type(error), error.name, error)\n"
        "    importlib.invalidate_caches()\n"
    )

    bare, probed = room.both([python, "-c", code])

    assert probed == bare


SITECUSTOMIZE = {
    "prints": "print('mine', __name__, __file__)\n",
    "raises": "import sys\nraise ValueError('mine')\n",
    "lacks a module": "import no_such_module\n",
    "changes the path": "import sys\nsys.path.append('/added')\n",
}


@pytest.mark.parametrize("text", SITECUSTOMIZE.values(), ids=SITECUSTOMIZE)
def test_the_users_own_sitecustomize_is_run(python: str, room: Room, text: str) -> None:
    (room.empty / "sitecustomize.py").write_text(text)
    code = "import sys; print('/added' in sys.path); print(sys.modules['sitecustomize'].__file__)"

    bare, probed = room.both([python, "-c", code])

    assert probed == bare


def test_a_sitecustomize_that_exits_is_as_fatal_as_ever(python: str, room: Room) -> None:
    (room.empty / "sitecustomize.py").write_text("raise SystemExit(7)\n")

    bare, probed = room.both([python, "-c", "print(1)"])

    assert (probed.status, probed.output) == (bare.status, bare.output)
    assert probed.errors.splitlines()[-1] == bare.errors.splitlines()[-1]


def test_a_program_that_uses_faulthandler_keeps_it(python: str, room: Room) -> None:
    code = "import faulthandler, os; faulthandler.enable(); os.abort()"

    bare, probed = room.both([python, "-c", code])

    assert "most recent call first" in probed.errors
    assert (probed.status, probed.errors) == (bare.status, bare.errors)


def test_a_tracer_sees_no_line_of_ours(python: str, room: Room) -> None:
    (room.work / "traced.py").write_text(
        "import sys\n"
        "seen = set()\n"
        "def trace(frame, event, arg):\n"
        "    seen.add(frame.f_code.co_filename)\n"
        "sys.settrace(trace)\n"
        "import colorsys\n"
        "sys.settrace(None)\n"
        "print(sorted(name for name in seen if 'probe' in name))\n"
    )

    done = room.run([python, "traced.py"], probed=True)

    assert (done.output, done.status) == ("[]\n", 0)
