"""A helper that asks on the terminal is named, whatever its input and output are."""

import json
import os
import select
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(40)
LIMIT = 25.0
PROGRAM = """\
import subprocess
subprocess.run(["sh", "-c", "printf asking >/dev/tty; read answer </dev/tty"])
"""


def test_a_helper_that_reads_the_terminal_is_the_answer_while_nobody_answers(
    tmp_path: Path,
) -> None:
    script, report = tmp_path / "run.py", tmp_path / "report.json"
    script.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "hangbisect", "run", "--notice", "1", "--within", "3"]
    command += ["--format", "json", "-o", str(report), "--", str(script)]

    pid, terminal = os.forkpty()
    if pid == 0:
        os.execv(command[0], command)
    try:
        until(terminal, b"asking")
        until_exists(report, terminal)
        os.write(terminal, b"answer\n")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)

    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["findings"][0]["code"] == "HB602"
    assert found["step"]["line"] == 2


def until(terminal: int, words: bytes) -> bytes:
    """Read what is shown until the words are there, or the limit is over."""
    shown, end = b"", time.monotonic() + LIMIT
    while words not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 4096)
    return shown


def until_exists(report: Path, terminal: int) -> None:
    """Drain the terminal until the report is written, or the limit is over."""
    end = time.monotonic() + LIMIT
    while not report.exists() and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                os.read(terminal, 4096)
            except OSError:  # EIO: the program has ended and closed it
                time.sleep(0.1)
