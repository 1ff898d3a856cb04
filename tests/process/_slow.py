"""Slow programs under hangbisect, each in its surroundings, and what the reports came to.

The short version divides all times by ten. With HANGBISECT_SLOW=full each program takes its whole
length, and hangbisect its default settings.
"""

import http.server
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.process._cgroup import group, join
from tests.process._healthy import Started, finish, report_of, start

FULL = os.environ.get("HANGBISECT_SLOW") == "full"
FACTOR = 1.0 if FULL else 0.1
PATIENCE = () if FULL else ("--patience", str(300 * FACTOR))
MODULES = Path(__file__).parent / "programs" / "slow"
BEAT = 2.0
"""Seconds between two parts of what trickles."""
HALF = 0.5
"""Share of a program's time after which it counts as slow."""


@dataclass(frozen=True)
class Slow:
    """A program that takes long: its module, its full length in seconds, and what is done to it."""

    module: str
    seconds: float
    around: Callable[[ExitStack, float], tuple[str, ...]] | None = None
    """Prepares something outside; gives further arguments."""
    act: Callable[[ExitStack, Started, float], None] | None = None
    """Does something to the running program."""
    needs: tuple[str, ...] = ()
    """Commands without which it cannot run."""
    code: str = ""
    """The first finding once it is over the limit of its start; "" if there is none."""
    says: str = ""
    """A part of its summary."""
    end: str | None = None
    """How its wait chain ends then; None where something moves."""

    @property
    def length(self) -> float:
        return self.seconds * FACTOR


def run(slow: Slow, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run a program with default settings, and beside it with a limit for the start.

    Returns both reports; those of the first limit passed and of the end.
    """
    with ExitStack() as stack:
        within = ("--within", str(slow.length * HALF))
        default = _begin(slow, folder / "default", (), stack)
        limited = _begin(slow, folder / "within", within, stack)
        for each in (default, limited):
            if slow.act is not None:
                slow.act(stack, each, slow.length)
        return _end(default, slow), _end(limited, slow)


def _begin(slow: Slow, folder: Path, options: tuple[str, ...], stack: ExitStack) -> Started:
    folder.mkdir()
    more = slow.around(stack, slow.length) if slow.around else ()
    program = (str(MODULES / "run.py"), slow.module, str(slow.length), str(folder), *more)
    started = start(program, folder / "report.json", (*PATIENCE, "--on-hang", "end", *options))
    stack.callback(finish, started)
    return started


def _end(each: Started, slow: Slow) -> dict[str, Any]:
    _, errors = each.process.communicate(timeout=slow.length * 8 + 60)
    assert each.process.returncode == 0, errors
    return report_of(each)


def trickle(stack: ExitStack, seconds: float) -> tuple[str, ...]:
    """Serve a file, a little of it every other second."""
    return (stack.enter_context(_server(seconds)),)


@contextmanager
def _server(seconds: float) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                self.wfile.write(bytes(4096))
                time.sleep(BEAT)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def stop(stack: ExitStack, each: Started, seconds: float) -> None:
    """Stop the program from outside for the second half of its time and more."""
    _for_a_while((each.pid,), seconds * 0.2, seconds * 0.7)


def suspend(stack: ExitStack, each: Started, seconds: float) -> None:
    """Stop all of it, hangbisect too, as when a machine sleeps: its clock then jumps."""
    front = psutil.Process(each.process.pid)
    pids = tuple(p.pid for p in (front, *front.children(recursive=True)))
    _for_a_while(pids, seconds * 0.2, seconds * 0.7)


def _for_a_while(pids: tuple[int, ...], after: float, seconds: float) -> None:
    def send(number: int) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):  # a helper's look is over
                os.kill(pid, number)

    threading.Timer(after, send, (signal.SIGSTOP,)).start()
    threading.Timer(after + seconds, send, (signal.SIGCONT,)).start()


def throttle(stack: ExitStack, each: Started, seconds: float) -> None:
    """Let it have a twentieth of one CPU."""
    first, second = {"cpu.cfs_quota_us": "5000"}, {"cpu.max": "5000 100000"}
    join(stack.enter_context(group("cpu", first, second)), each.pid)


def squeeze(stack: ExitStack, each: Started, seconds: float) -> None:
    """Let it have less memory than it maps."""
    size = str(64 << 20)
    first, second = {"memory.limit_in_bytes": size}, {"memory.max": size}
    join(stack.enter_context(group("memory", first, second)), each.pid)
