"""What the probe writes down can be read from outside, at any moment and long after."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from hangbisect.model import Flight, Span
from tests.process._probed import PROGRAMS, Room

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="run on Linux only so far")


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def short(spans: tuple[Span, ...]) -> list[tuple[str, str, str, int]]:
    """Give kind, name, file and line, the calls left out: only some versions have them."""
    return [
        (span.kind, span.name, Path(span.file).name, span.line if span.kind != "exec" else 0)
        for span in spans
        if span.kind != "call"
    ]


def only(room: Room) -> Flight:
    (flight,) = room.record.flights()
    return flight


def is_new(python: str) -> bool:
    """Tell whether this Python says every line of the entry script."""
    code = "import sys; sys.exit(sys.version_info < (3, 12))"
    return subprocess.run([python, "-I", "-c", code], timeout=20, check=False).returncode == 0


def test_a_stuck_import_is_named_with_its_importers(python: str, room: Room) -> None:
    with room.started([python, str(PROGRAMS / "stuck_import.py")]) as process:
        flight = only(room)

    assert flight.pid == process.pid
    assert short(flight.open) == [
        ("import", "stuck_outer", "stuck_import.py", 6),
        ("exec", "stuck_outer", "stuck_outer.py", 0),
        ("import", "stuck_inner", "stuck_outer.py", 3),
        ("exec", "stuck_inner", "stuck_inner.py", 0),
    ]
    assert flight.last is not None
    assert (flight.last.name, flight.last.line) == ("json", 1)
    assert flight.entry is not None
    assert (Path(flight.entry.file).name, flight.entry.line) == ("stuck_import.py", 6)
    assert not flight.finished


def test_a_record_outlives_the_process_and_reads_the_same(python: str, room: Room) -> None:
    with room.started([python, str(PROGRAMS / "stuck_import.py")]) as process:
        alive = only(room)
        process.kill()
        process.wait()

    assert only(room) == alive


def test_a_process_that_ends_says_so(python: str, room: Room) -> None:
    room.run([python, "-c", "import json"], probed=True)
    flight = only(room)

    assert flight.finished
    assert flight.open == ()
    assert flight.exception == ""
    assert flight.cwd == str(room.work)
    assert flight.executable == python
    assert flight.version.startswith("3.")


def test_an_uncaught_exception_is_named_without_its_text(python: str, room: Room) -> None:
    room.run([python, "-c", "raise ValueError('secret')"], probed=True)

    assert only(room).exception == "ValueError"
    assert not any(b"secret" in path.read_bytes() for path in room.records.glob("*.dump"))


def test_the_log_has_imports_with_the_line_that_asked(python: str, room: Room) -> None:
    (room.work / "asks.py").write_text(
        "import colorsys\ntry:\n    import nothing\nexcept ImportError:\n    pass\n"
    )
    room.run([python, "asks.py"], probed=True)
    events = room.record.poll()

    seen = [(event.what, event.name, event.line) for event in events]
    for expected in (
        ("exec", "__main__", 0),
        ("import", "colorsys", 1),
        ("imported", "colorsys", 0),
        ("import", "nothing", 3),
        ("import-failed", "nothing", 0),
    ):
        assert expected in seen
    assert room.record.count() == len(events)
    assert room.record.poll() == ()


def test_a_forked_child_has_a_record_of_its_own(python: str, room: Room) -> None:
    room.run([python, str(PROGRAMS / "forks.py")], probed=True)
    parent, child = room.record.flights()
    events = room.record.poll()

    assert child.parent == parent.pid
    by = {(event.pid, event.name) for event in events if event.what == "imported"}
    assert (child.pid, "tabnanny") in by
    assert (parent.pid, "tabnanny") not in by
    assert (parent.pid, "sched") in by
    assert (child.pid, "sched") not in by
    assert (parent.pid, "fork") in {(event.pid, event.what) for event in events}
    assert (parent.finished, child.finished) == (True, False)
    assert child.entry is not None
    assert child.entry.line == (9 if is_new(python) else 7)


def test_a_child_that_does_nothing_leaves_nothing_and_exec_begins_anew(
    python: str, room: Room
) -> None:
    room.run([python, str(PROGRAMS / "forks_idle.py")], probed=True)
    flight = only(room)

    assert flight.finished
    assert len(list(room.records.glob("*.flight"))) == 2
    names = [event.name for event in room.record.poll() if event.what == "exec-program"]
    assert names == [python]


def test_a_child_forked_inside_an_import_stays_inside_it(python: str, room: Room) -> None:
    with room.started([python, str(PROGRAMS / "forks_in_import.py")]) as process:
        flights = {flight.pid: flight for flight in room.record.flights()}
        parent = flights.pop(process.pid)
        (child,) = flights.values()
        assert process.stdin is not None
        process.stdin.close()
        process.wait()

    assert child.parent == process.pid
    assert short(child.open) == short(parent.open) != []


def test_a_thread_that_waits_for_anothers_import_is_shown(python: str, room: Room) -> None:
    with room.started([python, str(PROGRAMS / "locked.py")]) as process:
        waiting: tuple[Span, ...] = ()
        end = time.monotonic() + 20
        while not waiting and time.monotonic() < end:
            spans = only(room).open
            waiting = tuple(span for span in spans if span.tid != process.pid)

    assert short(waiting) == [("import", "lock_inside", "lock_inside.py", 7)]


def test_many_threads_lose_and_tear_no_event(python: str, room: Room) -> None:
    room.run([python, str(PROGRAMS / "many.py")], probed=True)
    flight = only(room)
    events = room.record.poll()

    assert flight.open == ()
    assert flight.events == len(events)
    begun = [event.tid for event in events if event.what == "import"]
    ended = [
        event.tid for event in events if event.what.startswith("import") and event.what != "import"
    ]
    assert sorted(begun) == sorted(ended)


def test_a_record_killed_at_any_moment_is_whole(python: str, room: Room) -> None:
    for wait in (0.01, 0.013, 0.017, 0.02):
        with room.started([python, str(PROGRAMS / "busy.py")]) as process:
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            process.wait()
        flight = next(one for one in room.record.flights() if one.pid == process.pid)
        for span in flight.open:
            assert (span.name, Path(span.file).name) in (
                ("colorsys", "busy.py"),
                ("colorsys", "colorsys.py"),
            )
    assert {event.name for event in room.record.poll() if event.line == 8} <= {"colorsys", ""}


def test_the_entry_statement_is_known(python: str, room: Room) -> None:
    line = 9 if is_new(python) else 3
    with room.started([python, str(PROGRAMS / "lines.py")]):
        end = time.monotonic() + 20
        entry = only(room).entry
        while entry is not None and entry.line != line and time.monotonic() < end:
            entry = only(room).entry

    assert entry is not None
    assert entry.line == line


def test_secrets_of_the_command_line_are_masked(python: str, room: Room) -> None:
    room.run(
        [python, "-c", "1", "--hf-token", "canary1", "--api_key=canary2", "https://u:canary3@h/p"],
        probed=True,
        extra={"HF_TOKEN": "canary4", "TORCH_HUB_TOKEN": "canary5", "RANK": "3"},
    )
    flight = only(room)

    written = b"".join(path.read_bytes() for path in room.records.iterdir())
    assert b"canary" not in written
    assert ("RANK", "3") in flight.environment


def test_records_are_private(python: str, room: Room) -> None:
    room.run([python, "-c", "1"], probed=True)

    assert {path.stat().st_mode & 0o777 for path in room.records.iterdir()} == {0o600}


def test_a_fatal_signal_leaves_the_stack(python: str, room: Room) -> None:
    with room.started([python, str(PROGRAMS / "stuck_import.py")]) as process:
        process.send_signal(signal.SIGABRT)
        process.wait()

    assert process.returncode == -signal.SIGABRT
    lines = room.record.dump(process.pid)
    assert lines[0] == "Fatal Python error: Aborted"
    assert any("stuck_inner.py" in line for line in lines)


def test_a_folder_that_is_gone_or_full_of_strangers_disturbs_nobody(
    python: str, room: Room
) -> None:
    command = [python, "-c", "import json; print(json.dumps(1))"]
    bare = room.run(command, probed=False)
    shutil.rmtree(room.records)

    assert room.run(command, probed=True) == bare
    assert room.record.flights() == ()


def test_a_low_limit_of_descriptors_is_noted(python: str, room: Room) -> None:
    command = ["sh", "-c", f"ulimit -n 64; exec {python} -c 'print(1)'"]

    assert room.run(command, probed=True).output == "1\n"
    (note,) = only(room).notes
    assert "no dump" in note


BLOCKING = """
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <unistd.h>
PyMODINIT_FUNC PyInit_blocking(void) {
    if (write(1, "ready\\n", 6) < 0) return 0;
    for (;;) pause();
}
"""
CONSTRUCTOR = """
#include <unistd.h>
__attribute__((constructor)) static void begin(void) {
    if (write(1, "ready\\n", 6) < 0) return;
    for (;;) pause();
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
@pytest.mark.parametrize("source", [BLOCKING, CONSTRUCTOR], ids=["PyInit", "constructor"])
def test_an_extension_that_never_loads_is_seen_being_created(
    python: str, room: Room, source: str
) -> None:
    ask = "import sysconfig; print(sysconfig.get_paths()['include'])"
    include = subprocess.check_output([python, "-I", "-c", ask], text=True, timeout=20).strip()
    if source is BLOCKING and not Path(include, "Python.h").exists():
        pytest.skip("no Python.h")
    (room.work / "blocking.c").write_text(source)
    built = room.work / "blocking.abi3.so"
    subprocess.run(
        [
            "gcc",
            "-shared",
            "-fPIC",
            f"-I{include}",
            "-o",
            str(built),
            str(room.work / "blocking.c"),
        ],
        check=True,
        timeout=60,
    )
    (room.work / "loads.py").write_text("import blocking\n")

    with room.started([python, "loads.py"]):
        flight = only(room)

    assert [(span.kind, span.name) for span in flight.open] == [
        ("import", "blocking"),
        ("create", "blocking"),
    ]
    assert Path(flight.open[1].file).name == built.name


def test_an_unknown_python_gets_public_hooks_and_a_note(python: str, room: Room) -> None:
    (room.work / "newer.py").write_text(
        "import os, sys\n"
        "from _hangbisect_probe import boot\n"
        "boot.NEWEST_KNOWN = (3, 7)\n"
        "boot._is_recorded = lambda folder: False\n"
        "boot.start(os.environ['OTHER'], '')\n"
        "import colorsys\n"
    )
    other = room.work / "other"
    other.mkdir()
    done = room.run([python, "newer.py"], probed=True, extra={"OTHER": str(other)})
    second = type(room.record)(other)
    (flight,) = second.flights()

    assert done.status == 0
    assert "only the begin of imports" in flight.notes[0]
    seen = [(event.what, event.name, event.line) for event in second.poll()]
    assert ("import", "colorsys", 6) in seen
    assert sysconfig.get_platform()


def test_the_probe_starts_without_what_only_posix_has(python: str, room: Room) -> None:
    (room.empty / "sitecustomize.py").write_text("")
    code = (
        "import os, sys\n"
        "for name in ('fork', 'register_at_fork', 'posix_fallocate', 'O_CLOEXEC', 'O_NOFOLLOW'):\n"
        "    delattr(os, name)\n"
        f"sys.path.insert(0, {str(PROGRAMS.parents[3] / 'hangbisect')!r})\n"
        "sys.modules['fcntl'] = None\n"
        "from probe import boot\n"
        "boot.start(os.environ['OTHER'], '')\n"
        "import colorsys\n"
    )
    other = room.work / "other"
    other.mkdir()
    done = room.run([python, "-c", code], probed=False, extra={"OTHER": str(other)})
    second = type(room.record)(other)

    assert done.errors == ""
    assert "colorsys" in {event.name for event in second.poll()}
    assert os.listdir(other)
