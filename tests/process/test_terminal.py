"""The terminal: below a real shell on a real terminal, all is as it would be without us."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from tests.process.below_a_keeper import PROGRAM, state, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the keeper is for Linux")
PYTHON = sys.executable
PROMPT = "prompt> "


class Shell:
    """An interactive shell with job control, and one note file for each command below a keeper."""

    def __init__(self, shell: pexpect.spawn, folder: Path) -> None:
        self.shell = shell
        self.notes = folder / "notes"
        self.expect(PROMPT)

    def type(self, line: str) -> None:
        self.shell.sendline(line)

    def expect(self, pattern: str) -> str:
        self.shell.expect(pattern)
        return self.shell.before

    def below(self, script: str, *options: str) -> str:
        """Return a command line that runs a Python script below a keeper."""
        file = self.notes.with_name("script.py")
        file.write_text(script)
        front = [PYTHON, str(PROGRAM), "--out", str(self.notes), *options]
        return " ".join([*front, PYTHON, str(file)])

    def note(self, pattern: str) -> re.Match[str]:
        """Wait for a note."""

        def search() -> re.Match[str] | None:
            return re.search(pattern, self.notes.read_text()) if self.notes.exists() else None

        return wait_until(search)

    def started(self) -> list[int]:
        """Return front, keeper and target of the last command."""
        noted = self.notes.read_text() if self.notes.exists() else ""
        started = re.search("started (.+)", noted)
        return [int(pid) for pid in started[1].split()] if started else []

    @property
    def target(self) -> int:
        return int(self.note(r"started \d+ \d+ (\d+)\n")[1])

    def status(self) -> int:
        """Return the exit status of the last command."""
        self.type("echo status=$?.")
        self.shell.expect(r"status=(\d+)\.")
        return int(self.shell.match[1])


@pytest.fixture(params=["bash --norc --noprofile -i", "dash -i"], ids=["bash", "dash"])
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shell]:
    environment = {**os.environ, "PS1": PROMPT, "HISTFILE": ""}
    spawned = pexpect.spawn(request.param, env=environment, encoding="utf-8", timeout=20)
    shell = Shell(spawned, tmp_path)
    try:
        yield shell
    finally:
        for pid in shell.started():
            if str(tmp_path) in command_line(pid):
                os.kill(pid, signal.SIGKILL)
        spawned.close(force=True)


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


WORKS = "import time; print('ready', flush=True); time.sleep(30)"


def test_ctrl_c_ends_the_target_and_the_shell_sees_it(shell: Shell) -> None:
    shell.type(shell.below(WORKS))
    shell.expect("ready")

    shell.shell.sendintr()

    shell.expect("KeyboardInterrupt")
    shell.expect(PROMPT)
    assert shell.status() == 130
    assert shell.note("Interrupted.*")[0] == "Interrupted(by_terminal=True, count=1)"
    assert "Signalled" not in shell.notes.read_text()


HANDLES = """
import signal, time
came = []
signal.signal(signal.SIGINT, lambda *a: came.append(1))
print("ready", flush=True)
while not came: time.sleep(0.05)
time.sleep(0.5)
print("came", len(came), "times", flush=True)
"""


def test_a_target_that_handles_ctrl_c_gets_it_once_and_goes_on(shell: Shell) -> None:
    shell.type(shell.below(HANDLES))
    shell.expect("ready")

    shell.shell.sendintr()

    shell.expect("came 1 times")
    shell.expect(PROMPT)
    assert shell.status() == 0


DEAF = """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(30)
"""


def test_a_second_ctrl_c_may_end_what_hears_none(shell: Shell) -> None:
    shell.type(shell.below(DEAF))
    shell.expect("ready")
    shell.shell.sendintr()
    shell.note("count=1")

    shell.shell.sendintr()

    shell.expect(PROMPT)
    assert "status=9" in shell.note("Ended.*")[0]
    assert shell.status() == 137


def test_ctrl_z_stops_all_of_us_and_fg_continues(shell: Shell) -> None:
    shell.type(shell.below(WORKS))
    shell.expect("ready")
    target = shell.target

    shell.shell.sendcontrol("z")
    shell.expect("Stopped")
    wait_until(lambda: state(target) == "T")
    shell.type("fg")
    wait_until(lambda: state(target) == "S")

    shell.note("Resumed")
    shell.shell.sendintr()
    shell.expect("KeyboardInterrupt")
    shell.expect(PROMPT)


READS = "line = input('name? '); print('hello', line)"


def test_a_background_job_that_reads_the_terminal_is_continued_by_fg(shell: Shell) -> None:
    shell.type(shell.below(READS) + " &")
    target = shell.target
    wait_until(lambda: state(target) == "T")
    assert shell.note("Stopped.*")[0] == f"Stopped(pid={target}, signal={int(signal.SIGTTIN)})"

    shell.type("fg")
    wait_until(lambda: state(target) == "S")
    shell.type("world")

    shell.expect("hello world")
    shell.expect(PROMPT)
    assert shell.status() == 0


def test_a_background_job_that_may_not_write_is_continued_by_fg(shell: Shell) -> None:
    shell.type("stty tostop")
    shell.expect(PROMPT)
    shell.type(shell.below("print('writes')") + " &")
    target = shell.target
    wait_until(lambda: state(target) == "T")

    shell.type("fg")

    shell.expect("writes")
    shell.note("Exited.*status=0")


def test_the_reader_of_a_pipe_may_end_first(shell: Shell) -> None:
    shell.type(shell.below("while True: print('x')") + " | head -n 1")

    shell.expect("BrokenPipeError")

    shell.expect(PROMPT)
    shell.note("Exited.*status=256")


def test_an_endless_writer_ends_with_the_target(shell: Shell) -> None:
    shell.type("yes | " + shell.below("print('got', input())"))

    shell.expect("got y")

    shell.expect(PROMPT)
    assert shell.status() == 0


def test_a_closed_stdin_stays_closed(shell: Shell) -> None:
    script = "import os, sys; print(sys.stdin, sorted(os.listdir('/proc/self/fd'))[:2])"

    shell.type(shell.below(script) + " <&-")

    shell.expect(re.escape("None ['0', '1']"))  # 0 is the folder that is being listed
    shell.expect(PROMPT)


def test_the_terminal_has_its_echo_back_after_the_ending(shell: Shell) -> None:
    script = "import getpass; print('ready', flush=True); getpass.getpass()"
    shell.type(shell.below(script, "--end-after", "2"))
    shell.expect("ready")

    shell.note("Ended")

    shell.expect(PROMPT)
    shell.type("stty -a")
    assert " -echo " not in shell.expect(PROMPT)
