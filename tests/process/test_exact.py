"""`--statements exact`: each statement is timed, and the program is what it is without."""

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

from hangbisect.probe.exact import MARKED, UNMARKED
from tests.process._probed import PROGRAMS, Ended, Room
from tests.process.test_probe_transparent import PROGRAMS_RUN

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="run on Linux only so far")
EXACT = {"HANGBISECT_STATEMENTS": "exact"}
IN_ONE = ("sh", "-c", 'exec "$@" 2>&1', "sh")
"""Shows in which order the two streams are written."""
SCRIPTS = {
    "a syntax error": "print(1)\nif x = 1:\n    pass\n",
    "a syntax error that only the compiler sees": "x = 1 is 1\nreturn 3\n",
    "a warning": "x = 1\nprint(x is 1)\n'\\d'\n",
    "await without async": "import asyncio\nawait asyncio.sleep(0)\n",
    "a null byte": "print(1)\n\0\n",
    "nothing": "",
    "only a docstring": '"""Nothing else."""',
    "only a future": "from __future__ import annotations",
    "a byte order mark": "\ufeffprint('a')\nraise ValueError('é')",
    "an unknown encoding": "# coding: klingon\nprint(1)\n",
    "another encoding": "\n# coding: latin-1\nprint(ascii('é'))\nraise ValueError('é')",
    "carriage returns": "x = 1\r\nprint(x)\r\n1 / 0\r\n",
    "sys.exit with a text": "import sys\nprint('first')\nsys.exit('second')\n",
    "an error after output": "print('first')\ndef f():\n    (1 /\n        0)\nf()\n",
    "an error with its cause": "try: {}[1]\nexcept KeyError:\n    raise OSError(\n        2, '')\n",
    "an error of no memory": "def f(): f()\nprint('before')\nf()\n",
    "StopIteration": "print('first')\nraise StopIteration(3)\n",
    "a hook of its own": "import sys\nsys.excepthook = lambda *a: print(a[1], __file__)\n1 / 0\n",
    "an exit handler": "import atexit\natexit.register(lambda: print('__file__' in globals()))\n",
    "an exit handler after exit": (
        "import atexit\natexit.register(lambda: print('__file__' in globals()))\nraise SystemExit\n"
    ),
    "Ctrl-C": "import os, signal\nprint('x')\nos.kill(os.getpid(), signal.SIGINT)\ninput()\n",
    "names": "def f(): pass\nprint(sorted(locals()), vars() is globals(), dir())\ndel __file__\n",
    "a broken output": "import os\nprint('x')\nos.close(1)\n",
    "a profiler": (
        "import cProfile\np = cProfile.Profile()\np.enable()\nx = [\n    len('')]\n"
        "for _ in x: abs(1)\n"
        "p.disable()\nprint(sorted((e.callcount, str(e.code)) for e in p.getstats()))\n"
    ),
    "twenty blocks": "".join(" " * n + "with open(__file__):\n" for n in range(20))
    + " " * 20
    + "1/0",
    "lines of a tracer": (
        "import sys\ndef t(f, e, a):\n    if f.f_code.co_name == '<module>': print(e, f.f_lineno)\n"
        "    return t\n"
        "sys.settrace(t)\nsys._getframe().f_trace = t\nx = [\n    len('a'),\n    2]\n"
        "if x[\n        0]:\n    y = (\n        x)\nelif y: pass\nelse: pass\n"
        "try: {}[1]\nexcept KeyError: z = 1\nfinally: w = 2\nwith open(__file__) as g: pass\n"
        "@staticmethod\ndef f(): pass\nwhile x: x.pop()\n"
    ),
}


def exactly(room: Room, command: list[str], **more: str) -> tuple[Ended, Ended]:
    return room.both(command, extra={**EXACT, **more})


def notes(room: Room) -> list[str]:
    return [note for flight in room.record.flights() for note in flight.notes]


def statements(room: Room) -> list[int]:
    return [event.line for event in room.record.poll() if event.what == "statement"]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def has_marks(python: str) -> bool:
    return "python3.12" not in python and not any(f"/3.{n}." in python for n in (12, 13))


@pytest.mark.parametrize("program", PROGRAMS_RUN.values(), ids=PROGRAMS_RUN)
def test_a_program_ends_and_says_the_same(
    python: str, room: Room, program: tuple[str, ...]
) -> None:
    name, *arguments = program

    bare, probed = exactly(room, [python, str(PROGRAMS / name), *arguments])

    assert probed == bare
    assert all("probe" not in note for note in notes(room))


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_ends_and_says_the_same(python: str, room: Room, text: str) -> None:
    (room.work / "run.py").write_bytes(text.encode())

    bare, probed = exactly(room, [*IN_ONE, python, "run.py"])

    assert probed == bare
    assert room.record.flights(), "the probe was not there"


@pytest.mark.parametrize("option", ["-O", "-B", "-Wdefault", "-Werror", "-bb", "-u", "-Xdev"])
def test_a_script_is_what_it_is_without(python: str, room: Room, option: str) -> None:
    script = str(PROGRAMS / "exactly.py")

    bare, probed = exactly(room, [python, option, script, "-x"], PYTHONIOENCODING="utf-8")

    assert probed == bare
    assert "44850" in probed.output
    assert not has_marks(python) or notes(room) == [MARKED]


def test_a_script_may_be_a_link_elsewhere(python: str, room: Room) -> None:
    (room.work / "bin").mkdir()
    (room.work / "bin" / "run").symlink_to(PROGRAMS / "identity.py")

    bare, probed = exactly(room, [python, "bin/run"])

    assert probed == bare
    assert not has_marks(python) or notes(room) == [MARKED]


def test_a_safe_path_stays_safe(python: str, room: Room) -> None:
    (room.work / "run.py").write_text("import sys\nprint(sys.path[0])\n")

    bare, probed = exactly(room, [python, "run.py"], PYTHONSAFEPATH="1", PYTHONPATH="/first:/next")

    assert probed.output.replace("\n", "").rpartition("/")[2] in ("work", "first", "inject")
    assert (probed == bare) == ("inject" not in probed.output)


AS_IT_IS = {
    "-c": (["-c", "print(1)"], "the code of -c has no file"),
    "-m": (["-m", "run"], "a module is run, not a script"),
    "-x": (["-x", "run.py"], "-x was given"),
    "-i": (["-i", "run.py"], "-i was given"),
    "standard input": (["-"], "the script comes from standard input"),
    "a folder": (["folder"], "ValueError: it is no regular file"),
    "an archive": (["run.zip"], ""),
    "compiled": (["folder/run.pyc"], ""),
}


@pytest.mark.parametrize(("arguments", "why"), AS_IT_IS.values(), ids=AS_IT_IS)
def test_what_cannot_have_marks_runs_as_it_is(
    python: str, room: Room, arguments: list[str], why: str
) -> None:
    (room.work / "run.py").write_text("print('first')\nprint(__name__, __file__)\n1 / 0\n")
    (room.work / "folder").mkdir()
    (room.work / "folder" / "__main__.py").write_text("print(__file__)\n1 / 0\n")
    with zipfile.ZipFile(room.work / "run.zip", "w") as archive:
        archive.write(room.work / "run.py", "__main__.py")
    compiles = "import py_compile; py_compile.compile('run.py', 'folder/run.pyc')"
    room.run([python, "-c", compiles], probed=False)

    bare, probed = exactly(room, [python, *arguments])

    assert probed == bare
    said = notes(room)
    assert said == [] if not has_marks(python) else [n[: len(UNMARKED)] for n in said] == [UNMARKED]
    assert not has_marks(python) or why in said[0]


def test_a_debugger_stops_at_the_same_lines(python: str, room: Room) -> None:
    command = [python, str(PROGRAMS / "debugged.py")]

    bare, probed = room.both(command, given="where\ns\ns\nn\np y\nc\n", extra=EXACT)

    assert probed == bare
    assert not has_marks(python) or notes(room) == [MARKED]


def test_hooks_that_were_replaced_leave_the_script_as_it_is(python: str, room: Room) -> None:
    (room.empty / "sitecustomize.py").write_text(
        "import sys\nsys.path_hooks = sys.path_hooks[1:]\n"
    )
    (room.work / "run.py").write_text("print(__name__)\n1 / 0\n")

    probed = room.run([python, "run.py"], probed=True, extra=EXACT)

    assert (probed.status, probed.output) == (1, "__main__\n")
    assert not has_marks(python) or [n[: len(UNMARKED)] for n in notes(room)] == [UNMARKED]


def test_a_script_from_a_pipe_is_read_once(python: str, room: Room) -> None:
    command = ["bash", "-c", '"$0" <(echo "print(1)")', python]

    bare, probed = exactly(room, command)

    assert (probed, probed.output) == (bare, "1\n")


def test_each_statement_has_its_line_and_its_time(python: str, room: Room) -> None:
    (room.work / "run.py").write_text(
        '"""Doc."""\nimport time\nbefore = time.monotonic()\nif before:\n    time.sleep(0.2)\n'
        "after = time.monotonic()\nprint(before, after)\ndef f(): pass\n"
    )

    probed = room.run([python, "run.py"], probed=True, extra=EXACT)

    before, after = map(float, probed.output.split())
    events = [event for event in room.record.poll() if event.what == "statement"]
    assert [event.line for event in events if event.line > 1] == [2, 3, 4, 5, 6, 7, 8]
    begun = {event.line: event.time for event in events}
    assert begun[3] <= before <= begun[5] <= after - 0.2
    assert begun[6] <= after <= begun[7]
    (flight,) = room.record.flights()
    assert (flight.entry and flight.entry.line, flight.entry_end) == (8, "returned")


def test_scripts_that_a_script_starts_are_marked_too(python: str, room: Room) -> None:
    (room.work / "run.py").write_text(
        "import subprocess, sys\nsubprocess.run([sys.executable, '-u', 'rank.py'], check=True)\n"
        "subprocess.run([sys.executable, '-c', 'print(2)'], check=True)\n"
    )
    (room.work / "rank.py").write_text("print(1)\nx = 1\n\ny = 2\n")

    bare, probed = exactly(room, [python, "run.py"])

    assert probed == bare
    flights = room.record.flights()
    assert [
        flight.entry.line for flight in flights if flight.entry and "rank.py" in flight.argv
    ] == [4]
    assert notes(room) == ([MARKED, MARKED] if has_marks(python) else [])


def test_the_report_says_that_there_were_marks(python: str, room: Room) -> None:
    (room.work / "run.py").write_text(
        "import threading\nx = 1\ny = 2\nif x:\n    threading.Event().wait()\n"
    )
    options = ("--statements", "exact", "--python", python, "--log", "run.log", "--format", "json")
    command = [sys.executable, "-m", "hangbisect", "run", *options, "-o", "out.json", "run.py"]

    ended = room.run(command, probed=False)

    assert ended.status == 124
    report = json.loads((room.work / "out.json").read_text())
    said = [gap["why"] for gap in report["gaps"] if "--statements" in gap["why"]]
    assert said == ([MARKED] if has_marks(python) else [])
    assert (report["step"]["line"], report["verdict"]) == (5, "hung")
    log = (room.work / "run.log").read_text()
    lines = re.findall(r" statement \(.*run\.py:(\d+)\)", log)
    assert lines == ["1", "2", "3", "4", "5"]


def test_a_script_that_is_left_early_says_where(python: str, room: Room) -> None:
    (room.work / "run.py").write_text("import sys\nfor x in range(3):\n    sys.exit()\nx = 2\n")

    room.run([python, "run.py"], probed=True, extra=EXACT)

    (flight,) = room.record.flights()
    assert (flight.entry and flight.entry.line, flight.entry_end) == (3, "left")


def test_a_loop_is_marked_a_hundred_times(python: str, room: Room) -> None:
    (room.work / "run.py").write_text("for i in range(1000):\n    a = i\n    b = i\nc = 1\n")

    room.run([python, "run.py"], probed=True, extra=EXACT)

    lines = statements(room)
    assert (lines.count(2), lines.count(3), lines.count(4)) == (100, 100, 1)
