"""Runs the commands of docs/tutorial.md, and writes what they print into it.

python tests/real/tutorial.py docs/tutorial.md     write the page anew (make tutorial)

A block that begins with ```console holds commands, each after "$ ", with what it prints below it.
All of them are given to one shell, in fixtures/trainer. A comment `<!-- until: COMMAND -->` is not
seen by readers: the shell goes on when that command succeeds, where a reader would look at a clock.
"""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRAINER = ROOT / "fixtures" / "trainer"
LIMIT = 240.0
"""Seconds for all commands together."""
BLOCK = re.compile(r"^```console\n(?P<text>.*?)^```$|^<!-- until: (?P<until>.+?) -->$", re.M | re.S)
PORT = "8917"
"""Of the front end on the page; each run takes one that is free."""
MARK = "@@ end of command @@"
NORMAL = (
    (r"^Evidence\n.*?(?=^What to do)|^Target\n.*?(?=^The facts|\Z)", ""),
    (r"/[\w./-]*hangbisect-\w+", "FOLDER"),
    (r"(?<![\w.])[/\w.-]*site-packages/", "PACKAGES/"),
    (r"\d+(?:\.\d+)? (?:min \d+ s|min|ms|s)\b", "TIME"),
    (r"\d+\.\d+\b|\b\d{3,}\b", "NUMBER"),
    (r"\s+|[│└├─]", ""),
    # Once more, for what stood on two lines: where a line ends depends on the length of paths.
    (r"(?<=\(at)[^()]*/", ""),
    (r"\d+\.\d+|(?<!\d)\d{3,}(?!\d)", "NUMBER"),
)
"""What differs from run to run and from machine to machine, and what stands for it: the length of
paths, and with it how much evidence fits a screen."""


def commands_of(page: str) -> Iterator[tuple[str, str]]:
    """Yield each command with what the page says it prints; what is waited for prints nothing."""
    for block in BLOCK.finditer(page):
        if block["until"]:
            yield until(block["until"]), ""
            continue
        for part in re.split(r"^\$ ", block["text"], flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def until(command: str) -> str:
    return f"for i in $(seq 200); do {{ {command}; }} > /dev/null 2>&1 && break; sleep 0.3; done"


def run(commands: list[str]) -> list[str]:
    """Give the commands to one shell, and return what each printed."""
    script = "".join(
        f"{command}\nstatus=$?; echo '{MARK}'; (exit $status)\n" for command in commands
    )
    shell = subprocess.Popen(
        ["bash", "-c", script.replace(PORT, str(free_port()))],
        cwd=TRAINER,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = shell.communicate(timeout=LIMIT)
    finally:
        if shell.poll() is None:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
    return printed.split(f"{MARK}\n")[:-1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment() -> dict[str, str]:
    here = str(Path(sys.executable).parent)
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    path = f"{here}{os.pathsep}{os.environ['PATH']}"
    return {**clean, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}


def normal(text: str) -> str:
    """Replace what differs from run to run, and all that only lays the text out."""
    for pattern, name in NORMAL:
        text = re.sub(pattern, name, text, flags=re.M | re.S)
    return text


def written(page: str, printed: list[str]) -> str:
    """Return the page with what its commands printed this time."""
    results = iter(printed)

    def block(found: re.Match[str]) -> str:
        if found["until"]:
            next(results)
            return found[0]
        commands = [
            part.partition("\n")[0] for part in re.split(r"^\$ ", found["text"], flags=re.M)
        ]
        shown = "".join(f"$ {command}\n{shorten(next(results))}" for command in commands[1:])
        return f"```console\n{shown}```"

    return BLOCK.sub(block, page)


def shorten(printed: str) -> str:
    """Leave out what says only where this machine has its files."""
    text = printed.replace(f"{ROOT}/", "").replace(str(Path(sys.executable).parent), ".venv/bin")
    text = re.sub(r"[\w./-]*/site-packages/", "site-packages/", text)
    text = re.sub(r"(?<![\w.])/[\w./-]+/bin/python", "/usr/bin/python", text)
    return text if not text or text.endswith("\n") else f"{text}\n"


def main(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    printed = run([command for command, _ in commands_of(page)])
    path.write_text(written(page, printed), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
