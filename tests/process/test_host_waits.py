"""What the Linux host says of real threads that wait in one known way each."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hangbisect.host import Question, this_host
from hangbisect.model import Call, Facts, Process, Thread
from tests.process._stuck import eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc of Linux")

START = "import os, sys, time, threading, socket, select, signal, subprocess, fcntl\n"
READY = "print('ready', flush=True)\n"


@contextmanager
def waiting(code: str, *arguments: str) -> Iterator[int]:
    """Run code until it says that it is ready, give its pid, and end it afterwards."""
    command = [sys.executable, "-S", "-c", START + code, *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process.pid
        finally:
            process.kill()


def facts_of(pid: int, **more: object) -> tuple[Facts, ...]:
    question = Question(root=pid, began=time.monotonic(), **more)  # type: ignore[arg-type]
    return tuple(this_host().facts(question))


def last_calls(parts: tuple[Facts, ...]) -> dict[int, Call]:
    """Give the call of each thread as the last part that speaks of it says."""
    return {row.tid: row.call for part in parts for row in part.threads if row.call is not None}


def call_in(pid: int, name: str, tid: int | None = None) -> tuple[Call, tuple[Facts, ...]]:
    """Look until the thread is in the call."""
    parts = eventually(
        lambda: facts_of(pid),
        lambda seen: last_calls(seen).get(tid or pid, Call(name="")).name == name,
    )
    return last_calls(parts)[tid or pid], parts


def rows_of(parts: tuple[Facts, ...], pid: int) -> list[Process]:
    return [row for part in parts for row in part.processes if row.pid == pid]


def test_a_sleep_has_its_deadline() -> None:
    with waiting(READY + "time.sleep(1000)") as pid:
        call, _ = call_in(pid, "clock_nanosleep")

    assert call.timed
    left = call.deadline if call.deadline is not None else call.interval
    assert left == pytest.approx(1000, abs=30)


def test_a_poll_names_its_descriptors_and_its_limit() -> None:
    code = "r, w = os.pipe(); p = select.poll(); p.register(r, select.POLLIN)\n"
    with waiting(code + READY + "p.poll(90_000)") as pid:
        call, _ = call_in(pid, "poll")

    assert (len(call.descriptors), call.timed, call.interval) == (1, True, 90.0)


def test_an_epoll_waits_for_what_it_watches() -> None:
    code = "r, w = os.pipe(); e = select.epoll(); e.register(r, select.EPOLLIN)\n"
    with waiting(code + READY + "e.poll()") as pid:
        call, parts = call_in(pid, "epoll_wait")

    (pipe,) = call.descriptors
    kinds = {row.fd: row.kind for part in parts for row in part.descriptors}
    assert (kinds[pipe], call.timed) == ("pipe", False)


def test_a_watched_number_that_was_used_again_is_not_trusted() -> None:
    code = (
        "r, w = os.pipe(); keep = os.dup(r); e = select.epoll(); e.register(r, select.EPOLLIN)\n"
        "a, b = os.pipe(); os.dup2(a, r)\n"
    )
    with waiting(code + READY + "e.poll()") as pid:
        call, _ = call_in(pid, "epoll_wait")

    assert call.descriptors == (-1,)


def test_a_select_names_the_descriptors_of_its_sets() -> None:
    code = "r, w = os.pipe()\n" + READY + "select.select([r], [], [], 50)"
    with waiting(code) as pid:
        parts = eventually(
            lambda: facts_of(pid), lambda seen: "select" in last_calls(seen)[pid].name
        )

    call = last_calls(parts)[pid]
    assert (len(call.descriptors), call.writes, call.interval) == (1, False, 50.0)


def test_a_wait_for_a_child_names_it() -> None:
    code = "p = subprocess.Popen(['sleep', '1000'])\nprint('ready', flush=True)\np.wait()"
    with waiting(code) as pid:
        call, parts = call_in(pid, "wait4")
        child = call.child
        assert child is not None
        os.kill(child, signal.SIGKILL)

    assert {row.parent for row in rows_of(parts, child)} == {pid}


def test_a_stopped_process_says_so_and_keeps_its_call() -> None:
    with waiting(READY + "signal.pause()") as pid:
        call_in(pid, "pause")
        os.kill(pid, signal.SIGSTOP)
        parts = eventually(lambda: facts_of(pid), lambda seen: rows_of(seen, pid)[0].state == "T")

    assert last_calls(parts)[pid].name == "pause"


def test_an_open_of_a_fifo_names_its_path(tmp_path: Path) -> None:
    fifo = tmp_path / "control"
    os.mkfifo(fifo)

    with waiting(READY + "open(sys.argv[1])", str(fifo)) as pid:
        call, _ = call_in(pid, "openat")
        facts = tuple(this_host().path_facts(Question(root=pid, paths=(str(fifo),))))

    assert call.path == str(fifo)
    assert [row.paths[0].kind for row in facts if row.paths][-1] == "fifo"
    assert [row.openers for part in facts for row in part.paths] == [(), (), ()]


LOCKED = "import fcntl; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); "


def test_the_lock_on_a_path_names_its_holder_who_is_not_of_the_tree(tmp_path: Path) -> None:
    path = str(tmp_path / "cache.lock")

    with waiting(LOCKED + READY + "signal.pause()", path) as holder:
        call_in(holder, "pause")
        with waiting(READY + "signal.pause()") as pid:
            call_in(pid, "pause")
            facts = tuple(this_host().path_facts(Question(root=pid, paths=(path,))))

    locks = [(row.kind, row.path, row.holders) for part in facts for row in part.locks]
    rows = [row for part in facts for row in part.processes]
    assert locks == [("flock", path, (holder,))]
    assert {row.pid for row in rows} == {holder}
    assert rows[-1].argv[-1] == path


JOIN = r"""
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static void *want(void *x) { pthread_mutex_lock(&mutex); return x; }
static void *hope(void *x) {
    pthread_mutex_lock(&other);
    for (;;) pthread_cond_wait(&never, &other);
    return x;
}
void stick(void) {
    pthread_t first, second;
    pthread_mutex_lock(&mutex);
    pthread_create(&second, 0, hope, 0);
    pthread_create(&first, 0, want, 0);
    pthread_join(first, 0);
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("native")
    source, built = folder / "stick.c", folder / "libstick.so"
    source.write_text(JOIN)
    command = ["gcc", "-shared", "-fPIC", "-pthread", "-o", str(built), str(source)]
    try:
        subprocess.run(command, check=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("gcc is not installed")
    return built


def by_start(parts: tuple[Facts, ...]) -> list[Thread]:
    rows = {row.tid: row for part in parts for row in part.threads}
    return [rows[tid] for tid in sorted(rows)]


def test_a_native_join_and_a_mutex_name_their_threads(library: Path) -> None:
    code = "import ctypes; lib = ctypes.CDLL(sys.argv[1])\n" + READY + "lib.stick()"
    with waiting(code, str(library)) as pid:
        parts = eventually(
            lambda: facts_of(pid),
            lambda seen: (
                len(seen) > 2 and [call.name for call in last_calls(seen).values()] == ["futex"] * 3
            ),
        )

    main, hoping, wanting = by_start(parts)
    words = [row.call.word for row in (main, hoping, wanting) if row.call is not None]
    joined, condition, mutex = (word for word in words if word is not None)
    assert joined.joins == wanting.tid
    assert (mutex.owner, mutex.region, mutex.path) == (main.tid, "library", str(library))
    assert (condition.owner, condition.joins) == (None, None)


def test_a_python_lock_is_a_private_word_of_which_nothing_is_claimed() -> None:
    with waiting(READY + "import queue; queue.Queue().get()") as pid:
        call, _ = call_in(pid, "futex")

    assert call.word is not None
    assert (call.word.private, call.word.owner, call.word.joins) == (True, None, None)
    assert not call.timed


def test_a_python_is_recognised_with_its_arguments() -> None:
    with waiting(READY + "signal.pause()", "--mark") as pid:
        _, parts = call_in(pid, "pause")

    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    rows = rows_of(parts, pid)
    assert version in {row.python for row in rows}
    assert [row.argv[-1] for row in rows if row.argv] == ["--mark"]


@pytest.mark.root
def test_what_another_user_may_not_see_is_a_gap_with_a_remedy() -> None:
    def stranger(pid: int) -> list[str]:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setuid(65534)
                gaps = [gap for part in facts_of(pid) for gap in part.gaps]
                os.write(writer, "\n".join(f"{gap.what}: {gap.remedy}" for gap in gaps).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with open(reader) as answer:
            said = answer.read()
        os.waitpid(child, 0)
        return said.splitlines()

    with waiting(READY + "signal.pause()") as pid:
        gaps = stranger(pid)

    assert gaps == [
        f"{what} of process {pid}: Run hangbisect as that user, or with sudo."
        for what in ("system calls", "descriptors", "memory")
    ]


def test_a_process_that_is_no_more_is_no_row() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    process.wait(timeout=20)

    assert [part.processes for part in facts_of(process.pid) if part.processes] == []


def test_a_zombie_has_its_exit_status() -> None:
    code = "p = subprocess.Popen([sys.executable, '-S', '-c', 'raise SystemExit(3)'])\n"
    code += "os.waitid(os.P_PID, p.pid, os.WEXITED | os.WNOWAIT)\n"
    with waiting(code + READY + "signal.pause()") as pid:
        parts = facts_of(pid)

    zombies = [row for row in parts[0].processes if row.state == "Z"]
    assert [row.exit_status for row in zombies] == [3 << 8]


def test_a_sample_counts_what_moves() -> None:
    with waiting(READY + "signal.pause()") as pid:
        call_in(pid, "pause")
        first = this_host().sample(Question(root=pid))
        second = this_host().sample(Question(root=pid))

    (pulse,) = first.processes
    assert (pulse.pid, pulse.parent, pulse.state) == (pid, os.getpid(), "S")
    assert pulse.cpu > 0
    assert pulse.read > 0
    assert first.threads == second.threads
