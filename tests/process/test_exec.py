"""`hangbisect exec`: Python below any command is judged, and the command is left as it is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process._followed import (
    HANGS,
    LIMIT,
    WORKS,
    blamed,
    exec_command,
    followed,
    reports,
    roles,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
POOL = """
import multiprocessing, sys, threading, time
def work():
    threading.Event().wait()
if __name__ == "__main__":
    process = multiprocessing.get_context(sys.argv[1]).Process(target=work)
    process.start()
    while True:
        time.sleep(0.2)
"""
DETACHES = """
const { spawn } = require('node:child_process');
for (const file of ['hangs.py', 'works.py']) {
  spawn(process.argv[2], [file], { detached: true, stdio: 'ignore' }).unref();
}
setInterval(() => {}, 1000);
"""
SERVES = """
import http.server
http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler).serve_forever()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with programs that hang, work, serve and detach."""
    files = {"hangs.py": HANGS, "works.py": WORKS, "pool.py": POOL, "serves.py": SERVES}
    for name, text in {**files, "detaches.js": DETACHES}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "Makefile").write_text(f"all:\n\t@{sys.executable} hangs.py\n")
    return tmp_path


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("printf out; printf err >&2; exit 7", 7),
        ("kill -TERM $$", -15),
        (f"{sys.executable} works.py; {sys.executable} -c 'print(1)'", 0),
        (f"{sys.executable} -c 1/0", 1),
    ],
    ids=["a shell", "a signal", "Python", "a traceback"],
)
def test_a_healthy_command_is_as_bare(script: str, status: int, folder: Path) -> None:
    bare = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, timeout=LIMIT)

    done = subprocess.run(
        exec_command(folder, "bash", "-c", script), cwd=folder, capture_output=True, timeout=LIMIT
    )

    assert (done.returncode, done.stdout, done.stderr) == (status, bare.stdout, bare.stderr)
    assert list((folder / "reports").iterdir()) == []


@pytest.mark.parametrize(
    ("command", "above"),
    [
        (("bash", "-c", f"{sys.executable} hangs.py; true"), ["launcher"]),
        (("make",), ["launcher"]),
    ],
    ids=["bash", "make"],
)
def test_a_program_below_a_launcher_is_explained_and_kept(
    command: tuple[str, ...], above: list[str], folder: Path
) -> None:
    with followed(folder, *command) as process:
        (report,) = reports(folder)

        assert process.poll() is None
    assert (report["verdict"], report["certainty"]) == ("hung", "proved")
    assert report["target"]["argv"][-1] == "hangs.py"
    assert roles(report) == [*above, "trainer"]
    assert blamed(report)["hooked"]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_of_two_detached_jobs_the_one_that_hangs_is_told_of(folder: Path) -> None:
    with followed(folder, "node", "detaches.js", sys.executable):
        (report,) = reports(folder)

    assert report["target"]["argv"][-1] == "hangs.py"
    assert sorted(roles(report)) == ["launcher", "trainer", "trainer"]


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
def test_a_worker_that_is_dead_below_a_program_that_lives_is_told_of(
    method: str, folder: Path
) -> None:
    with followed(folder, sys.executable, "pool.py", method):
        (report,) = reports(folder)

    assert (report["verdict"], report["certainty"]) == ("hung", "proved")
    assert blamed(report)["role"] == "worker"
    assert report["target"]["pid"] == report["step"]["pid"]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("env", "-i", sys.executable, "hangs.py"), "it was started with an empty environment"),
        (("env", "-u", "PYTHONPATH", sys.executable, "hangs.py"), "PYTHONPATH was taken"),
        (("env", "PYTHONPATH=/nowhere", sys.executable, "hangs.py"), "its PYTHONPATH was replaced"),
        ((sys.executable, "-I", "hangs.py"), "-I ignores"),
        ((sys.executable, "-E", "hangs.py"), "-E ignores"),
        ((sys.executable, "-S", "hangs.py"), "-S skips"),
    ],
    ids=["emptied", "dropped", "replaced", "-I", "-E", "-S"],
)
def test_a_process_without_a_probe_is_named_with_the_reason(
    command: tuple[str, ...], why: str, folder: Path
) -> None:
    with followed(folder, *command):
        (report,) = reports(folder)

    assert (report["verdict"], report["certainty"]) == ("hung", "proved")
    assert not blamed(report)["hooked"]
    assert blamed(report)["why_not_hooked"].startswith(why)


def test_a_server_that_waits_to_be_asked_is_left_alone(folder: Path) -> None:
    (folder / "fifo.py").write_text("import os\nos.mkfifo('pipe')\nopen('pipe').read()\n")
    script = f"{sys.executable} serves.py & exec {sys.executable} fifo.py"

    with followed(folder, "bash", "-c", script, patience=4):
        (report,) = reports(folder)

    assert report["target"]["argv"][-1] == "fifo.py"
    assert (report["verdict"], report["certainty"]) == ("hung", "likely")
