"""What all tests share: skip reasons for what the machine lacks, and no process left behind."""

import importlib.util
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
WITH_PROCESSES = ("process", "real", "rules")
MARK = "HANGBISECT_TEST"
"""Variable that names the test to every process below it, also to those that lost their parent."""
GRACE = 3.0
"""Seconds that a process which is ending may still take."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`: write the golden files instead of comparing with them."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


settings.register_profile("unhurried", deadline=None, max_examples=60)
settings.load_profile("unhurried")


def pytest_configure() -> None:
    """Let Ctrl-C reach what the tests start, also where the run itself is in the background.

    A shell without job control ignores SIGINT and SIGQUIT in what it starts with `&`, `nohup`
    ignores SIGHUP, and what is ignored is inherited by every program.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGQUIT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip, with the reason, what this machine has not got."""
    lacking = {
        "real": None if importlib.util.find_spec("torch") else "torch is not installed (make real)",
        "root": None if os.name == "posix" and os.geteuid() == 0 else "needs root",
    }
    for item in items:
        for mark, reason in lacking.items():
            if reason is not None and item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True, scope="session")
def records_go_away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have the facts of hangs kept in a folder of the test run, not in the machine's."""
    before = {name: os.environ.get(name) for name in ("TMPDIR", "XDG_RUNTIME_DIR")}
    os.environ.pop("XDG_RUNTIME_DIR", None)
    os.environ["TMPDIR"] = str(tmp_path_factory.mktemp("records"))
    yield
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


@pytest.fixture(autouse=True)
def nothing_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a process of ours, and end what it left."""
    folder = request.path.relative_to(TESTS).parts[0]
    if folder not in WITH_PROCESSES:
        yield
        return
    name, began = uuid4().hex, time.time()
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    os.environ[MARK] = name
    try:
        yield
    finally:
        del os.environ[MARK]
        left = still_there(ours(name, began, before))
        described = [describe(process) for process in left]
        for process in left:
            end(process)
    assert not described, f"left behind: {described}"


def ours(name: str, began: float, before: set[int]) -> list[psutil.Process]:
    """Return the children that were not there before, and whatever carries this test's mark."""
    children = [p for p in psutil.Process().children(recursive=True) if p.pid not in before]
    known = {child.pid for child in children} | {os.getpid()}
    others = [process for process in psutil.process_iter() if process.pid not in known]
    return children + [process for process in others if carries(process, name, began)]


def carries(process: psutil.Process, name: str, began: float) -> bool:
    """Tell whether a process was started below the test of that name, which began at that time."""
    try:
        if process.create_time() < began - 1 or process.status() == psutil.STATUS_DISK_SLEEP:
            return False  # older than the test; or reading its environment might block
        return bool(process.environ().get(MARK) == name)
    except (psutil.Error, OSError):
        return False  # gone, a zombie, or not ours to read


def still_there(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Give those that are ending a moment, and return the others. A zombie is not running."""
    _, alive = psutil.wait_procs([p for p in processes if not is_over(p)], timeout=GRACE)
    return [process for process in alive if not is_over(process)]


def is_over(process: psutil.Process) -> bool:
    """Tell whether a process has ended, reaped or not."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def describe(process: psutil.Process) -> str:
    """Name a process for the message of a failed test."""
    try:
        return f"{process.pid} {process.status()} {' '.join(process.cmdline())[:200]}"
    except psutil.Error:
        return str(process.pid)


def end(process: psutil.Process) -> None:
    """Kill a process that a test left."""
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return
