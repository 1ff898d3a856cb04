"""Machine states and stack digests of processes that run: who spins, and that nobody notices."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from hangbisect.host._protocol import Question
from hangbisect.host.portable import Portable
from hangbisect.host.states import states
from hangbisect.model import Facts, Repeat, Thread
from hangbisect.waits import is_in_regex_engine, is_spin
from hangbisect.watch.stacks import stacks
from tests.process._stuck import eventually, pythons, state, stopped, stuck

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads registers by ptrace")
every_python = pytest.mark.parametrize("python", pythons().values(), ids=pythons())
WORK = ("multiply", "add", "digest", "compress", "backtrack")
CONSTRUCTOR = """
#include <unistd.h>
static volatile int flag;
__attribute__((constructor)) static void wait(void) { write(1, "ready\\n", 6); while (!flag); }
"""


def look(pid: int) -> Facts:
    (facts,) = states(Question(root=pid, threads=((pid, pid),)))
    return facts


def repeat(pid: int) -> Repeat:
    facts = look(pid)
    assert facts.gaps == ()
    (found,) = facts.repeats
    return found


def main_thread(pid: int, began: float = 1.0) -> Thread:
    found = [t for f in stacks(Question(root=pid, began=began), native=False) for t in f.threads]
    return next(thread for thread in found if thread.tid == pid and thread.frames)


def arrived(pid: int, function: str) -> Thread:
    return eventually(lambda: main_thread(pid), lambda t: function in t.frames[-1].function)


def tracer(pid: int) -> str:
    status = Path(f"/proc/{pid}/status").read_text()
    return status.partition("TracerPid:")[2].split()[0]


@contextmanager
def in_constructor(folder: Path) -> Iterator[int]:
    """Start a Python that loads a library whose constructor waits for a flag."""
    library = folder / "libwaits.so"
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    (folder / "waits.c").write_text(CONSTRUCTOR)
    command = [compiler, "-w", "-shared", "-fPIC", "-O2", "-o", library, folder / "waits.c"]
    subprocess.run(command, check=True, timeout=30)
    code = f"import ctypes; ctypes.CDLL({str(library)!r})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield process.pid
        finally:
            process.kill()


def test_a_constructor_that_waits_for_a_flag_spins(tmp_path: Path) -> None:
    with in_constructor(tmp_path) as pid:
        found = repeat(pid)
        first, second = main_thread(pid).digest, main_thread(pid).digest
        after = (state(pid), tracer(pid))

    assert found.states < 10
    assert is_spin(found)
    assert first == second is not None
    assert after == ("R", "0")


@every_python
def test_a_python_loop_that_waits_for_a_flag_spins(python: str) -> None:
    with stuck(python, "spins.py", "flag") as process:
        arrived(process.pid, "flag")
        found = repeat(process.pid)
        after = (state(process.pid), tracer(process.pid))

    assert is_spin(found), found
    assert after == ("R", "0")


@pytest.mark.parametrize("work", WORK)
def test_a_computation_does_not_spin(work: str) -> None:
    with stuck(sys.executable, "spins.py", work) as process:
        arrived(process.pid, "match" if work == "backtrack" else work)
        found = repeat(process.pid)

    assert found.samples >= 60
    assert not is_spin(found), found


@every_python
def test_one_call_of_the_regex_engine_is_told_by_its_frame(python: str) -> None:
    with stuck(python, "spins.py", "backtrack") as process:
        thread = arrived(process.pid, "match")

    assert is_in_regex_engine(thread)


@every_python
def test_a_stack_with_a_value_that_changes_has_another_digest(python: str) -> None:
    with stuck(python, "spins.py", "count") as process:
        first = arrived(process.pid, "count").digest
        second = eventually(
            lambda: main_thread(process.pid).digest, lambda seen: seen not in (None, first)
        )

    assert first is not None
    assert second != first


def test_a_digest_says_nothing_of_the_values_and_is_of_one_run() -> None:
    with stuck(sys.executable, "queue_get.py") as process:
        eventually(lambda: main_thread(process.pid), lambda t: t.frames[-1].function == "wait")
        first, again = main_thread(process.pid).digest, main_thread(process.pid).digest
        of_other_run = main_thread(process.pid, began=2.0).digest
    with stuck(sys.executable, "spins.py", "flag") as process:
        text = msgspec.json.encode(arrived(process.pid, "flag"))

    assert first == again is not None
    assert of_other_run not in (None, first)
    assert b"canary" not in text


def test_a_native_stack_has_no_digest_that_would_replace_the_passive_one() -> None:
    with stuck(sys.executable, "queue_get.py") as process:
        found = [t for f in stacks(Question(root=process.pid), native=True) for t in f.threads]

    assert {thread.digest for thread in found} == {None}


def test_a_thread_that_sleeps_is_not_stopped() -> None:
    with stuck(sys.executable, "waits_in_epoll.py") as process:
        eventually(lambda: state(process.pid), lambda letter: letter == "S")
        facts = look(process.pid)
        is_alive = process.poll() is None

    assert facts.repeats == ()
    assert [gap.why for gap in facts.gaps] == ["it does not run"]
    assert is_alive


def test_a_thread_that_sleeps_now_and_then_is_let_go_and_sleeps_its_time() -> None:
    with stuck(sys.executable, "naps.py") as process:
        assert process.stdout is not None
        while not (facts := look(process.pid)).repeats:  # it happened to sleep at first
            process.stdout.readline()
        slept = [float(process.stdout.readline()) for _ in range(10)]

    assert not is_spin(facts.repeats[0])
    assert min(slept) >= 0.01


def test_a_stopped_thread_is_left_alone() -> None:
    with stuck(sys.executable, "spins.py", "flag") as process, stopped(process.pid):
        facts = look(process.pid)
        after = state(process.pid)

    assert [gap.why for gap in facts.gaps] == ["it does not run"]
    assert after == "T"


def test_a_thread_that_is_stopped_meanwhile_stays_so_and_goes_on_later() -> None:
    with stuck(sys.executable, "spins.py", "flag") as process, ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look, process.pid)
        eventually(lambda: tracer(process.pid), lambda pid: pid != "0")
        os.kill(process.pid, signal.SIGSTOP)
        looking.result(timeout=20)
        during = eventually(lambda: state(process.pid), lambda letter: letter not in "Rt")
        os.kill(process.pid, signal.SIGCONT)
        after = eventually(lambda: state(process.pid), lambda letter: letter not in "Tt")

    assert (during, after) == ("T", "R")


def test_signals_that_arrive_meanwhile_reach_the_target() -> None:
    with stuck(sys.executable, "spins.py", "flag") as process, ThreadPoolExecutor(1) as pool:
        assert process.stdout is not None
        looking = pool.submit(look, process.pid)
        eventually(lambda: tracer(process.pid), lambda pid: pid != "0")
        answers = []
        for _ in range(20):
            process.send_signal(signal.SIGUSR1)
            answers.append(process.stdout.readline())
        facts = looking.result(timeout=20)

    assert answers == ["caught\n"] * 20
    assert facts.repeats[0].samples >= 60


def test_a_target_goes_on_when_whoever_looks_is_killed() -> None:
    with stuck(sys.executable, "spins.py", "flag") as process:
        with stuck(sys.executable, "samples.py", str(process.pid)) as looker:
            traced = tracer(process.pid)
            looker.kill()
            looker.wait()
        after = eventually(lambda: state(process.pid), lambda letter: letter != "t")

    assert traced != "0"
    assert after == "R"


def test_a_target_that_ends_meanwhile_is_no_failure() -> None:
    with stuck(sys.executable, "spins.py", "flag") as process, ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look, process.pid)
        eventually(lambda: tracer(process.pid), lambda pid: pid != "0")
        process.kill()
        facts = looking.result(timeout=20)

    assert not any(is_spin(row) for row in facts.repeats if row.samples < 60)
    assert facts.gaps == ()


def test_a_target_that_somebody_traces_already_is_a_gap_that_names_him() -> None:
    with (
        stuck(sys.executable, "spins.py", "flag") as process,
        stuck(sys.executable, "samples.py", str(process.pid)) as other,
    ):
        by = tracer(process.pid)
        (gap,) = look(process.pid).gaps
        other.kill()

    assert f"process {by} is attached" in gap.why


def test_the_portable_host_says_that_it_cannot() -> None:
    (facts,) = Portable().states(Question(root=os.getpid()))

    assert [gap.what for gap in facts.gaps] == ["machine states"]
