"""Stacks of real processes that are stuck, on every Python found."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hangbisect.host._protocol import Question
from hangbisect.model import Facts, Frame, Gap, Local, Thread
from hangbisect.watch import stacks_pyspy, stacks_pystack
from hangbisect.watch.stack_error import StackError
from hangbisect.watch.stacks import stacks
from tests.process._stuck import eventually, pythons, state, stopped, stuck

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
every_python = pytest.mark.parametrize("python", pythons().values(), ids=pythons())

BLOCKING = """
#include <unistd.h>
void say_ready_and_block(void) { write(1, "ready\\n", 6); for (;;) pause(); }
"""


def look(pid: int, *, native: bool = False) -> list[Facts]:
    return list(stacks(Question(root=pid), native=native))


def threads(pid: int, *, native: bool = False) -> list[Thread]:
    found = [row for facts in look(pid, native=native) for row in facts.threads]
    return [thread for thread in found if thread.frames]


def gaps(pid: int, *, native: bool = False) -> list[Gap]:
    return [gap for facts in look(pid, native=native) for gap in facts.gaps]


def functions(thread: Thread) -> list[str]:
    return [frame.function for frame in thread.frames]


def has(function: str) -> Callable[[list[Thread]], bool]:
    return lambda found: any(function in functions(thread) for thread in found)


def local(frames: tuple[Frame, ...], function: str, name: str) -> Local:
    (found,) = [
        local
        for frame in frames
        if frame.function == function
        for local in frame.locals
        if local.name == name
    ]
    return found


@every_python
def test_a_queue_that_nobody_fills_is_named_with_its_frames(python: str) -> None:
    with stuck(python, "queue_get.py") as process:
        (main,) = eventually(lambda: threads(process.pid), has("wait"))

    assert (main.pid, main.tid) == (process.pid, process.pid)
    assert functions(main) == ["<module>", "get", "wait"]
    assert local(main.frames, "get", "self").type == "Queue"
    assert main.frames[0].locals == ()  # a module's own names are its globals: none of our business


@every_python
def test_a_joined_thread_is_the_self_of_its_own_first_frames(python: str) -> None:
    with stuck(python, "thread_join.py") as process:
        found = eventually(
            lambda: threads(process.pid), lambda seen: has("join")(seen) and has("run")(seen)
        )

    main = next(thread for thread in found if thread.tid == process.pid)
    worker = next(thread for thread in found if thread.tid != process.pid)
    joined, running = local(main.frames, "join", "self"), local(worker.frames, "run", "self")
    assert joined.address is not None
    assert joined == running


@every_python
def test_an_import_lock_shows_the_module_that_is_waited_for(python: str) -> None:
    with stuck(python, "import_deadlock.py") as process:
        found = eventually(lambda: threads(process.pid), has("acquire"))

    worker = next(thread for thread in found if thread.tid != process.pid)
    assert local(worker.frames, "acquire", "self").type.endswith("ModuleLock")
    assert local(worker.frames, "_find_and_load", "name").text == "deadlocked_module"


@every_python
def test_a_polled_path_is_kept_whole_however_long_or_foreign(python: str, tmp_path: Path) -> None:
    path = tmp_path / ("x" * 90) / "schl\u00fcssel.lock"
    path.parent.mkdir()
    path.touch()

    with stuck(python, "polls_file.py", str(path)) as process:
        (main,) = eventually(lambda: threads(process.pid), has("wait"))

    assert local(main.frames, "wait", "path") == Local(name="path", type="str", text=str(path))


@every_python
def test_a_stopped_process_is_read_and_stays_stopped(python: str) -> None:
    with stuck(python, "queue_get.py") as process:
        eventually(lambda: threads(process.pid), has("wait"))
        with stopped(process.pid):
            (main,) = threads(process.pid)
            after = state(process.pid)
            (refused,) = gaps(process.pid, native=True)

    assert functions(main) == ["<module>", "get", "wait"]
    assert after == "T"
    assert refused.why == "it is stopped"


@pytest.fixture(scope="module")
def blocking_library(tmp_path_factory: pytest.TempPathFactory) -> str:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    folder = tmp_path_factory.mktemp("library")
    source, library = folder / "blocking.c", folder / "blocking.so"
    source.write_text(BLOCKING)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True, timeout=60)
    return str(library)


@every_python
def test_who_holds_the_gil_is_told_and_the_library_that_it_is_in(
    python: str, blocking_library: str
) -> None:
    with stuck(python, "holds_gil.py", blocking_library) as process:
        eventually(lambda: state(process.pid), lambda letter: letter == "S")
        found = look(process.pid)
        native = threads(process.pid, native=True)

    (main,) = [t for facts in found for t in facts.threads if t.tid == process.pid and t.frames]
    (scanned,) = [t for f in found for t in f.threads if t.tid == process.pid and t.libraries]
    assert main.gil == "holds"
    assert blocking_library in scanned.libraries
    gil = {thread.tid == process.pid: thread.gil for thread in native}
    assert gil[True] == "holds"
    assert gil[False] in ("waits", None)  # None: an interpreter without symbols
    assert blocking_library in [frame.library for frame in native[0].native + native[1].native]


def test_children_are_read_too_and_our_own_are_left_out() -> None:
    code = (
        "import subprocess, sys, time\n"
        "sleep = 'print(\"ready\", flush=True); import time; time.sleep(100)'\n"
        "subprocess.run([sys.executable, '-c', sleep])\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        child = int(Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text())
        try:
            everyone = {thread.pid for thread in threads(parent.pid)}
            question = Question(root=parent.pid, leave_out=(child,))
            others = {t.pid for facts in stacks(question, native=False) for t in facts.threads}
        finally:
            os.kill(child, 9)

    assert everyone == {parent.pid, child}
    assert others == {parent.pid}


def test_a_process_that_is_no_python_has_no_stack_and_no_gap() -> None:
    with subprocess.Popen(["sleep", "100"]) as process:
        try:
            assert look(process.pid) == []
        finally:
            process.kill()


def test_a_process_that_is_gone_gives_nothing() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()

    assert look(process.pid) == []


def test_where_pystack_fails_py_spy_reads_and_a_gap_says_what_that_costs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(pid: int, **options: bool) -> tuple[Thread, ...]:
        raise StackError("it is too new")

    monkeypatch.setattr(stacks_pystack, "read", fail)
    with stuck(sys.executable, "queue_get.py") as process:
        (main,) = eventually(lambda: threads(process.pid), has("wait"))
        (gap,) = gaps(process.pid)

    assert functions(main) == ["<module>", "get", "wait"]
    assert local(main.frames, "get", "self").type == "Queue"
    assert "py-spy" in gap.why
    assert "it is too new" in gap.why


def test_a_string_that_cannot_be_decoded_costs_the_locals_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = stacks_pystack.read

    def fail_with_locals(
        pid: int, *, native: bool, with_locals: bool = True, key: bytes | None = None
    ) -> tuple[Thread, ...]:
        if with_locals:
            raise StackError("no")
        return read(pid, native=native, with_locals=False)

    def fail(pid: int) -> tuple[Thread, ...]:
        raise StackError("no")

    monkeypatch.setattr(stacks_pystack, "read", fail_with_locals)
    monkeypatch.setattr(stacks_pyspy, "read", fail)
    with stuck(sys.executable, "queue_get.py") as process:
        (main,) = eventually(lambda: threads(process.pid), has("wait"))
        (gap,) = gaps(process.pid)
        native = [row for facts in look(process.pid, native=True) for row in facts.threads]

    assert functions(main) == ["<module>", "get", "wait"]
    assert gap == Gap(what=f"the identity of locks in process {process.pid}", why="no; no")
    assert [bool(thread.native) for thread in native] == [True]


def test_where_both_fail_a_gap_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(pid: int, **options: bool) -> tuple[Thread, ...]:
        raise StackError("no")

    monkeypatch.setattr(stacks_pystack, "read", fail)
    monkeypatch.setattr(stacks_pyspy, "read", fail)
    with stuck(sys.executable, "queue_get.py") as process:
        (gap,) = gaps(process.pid)

    assert gap == Gap(what=f"Python stacks of process {process.pid}", why="no; no")


@pytest.mark.root
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_of_another_user_is_a_gap_with_its_remedy() -> None:
    reader, writer = os.pipe()
    with stuck(sys.executable, "queue_get.py") as process:
        child = os.fork()
        if child == 0:  # become nobody, look, and tell
            try:
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)
                ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
                (gap,) = gaps(process.pid)
                os.write(writer, gap.why.encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as answers:
            why = answers.read().decode()
        os.waitpid(child, 0)

    assert why == "it belongs to another user"
