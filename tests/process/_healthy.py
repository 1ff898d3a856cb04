"""Healthy programs under hangbisect: several at a time, and what each report came to."""

import ast
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

PROGRAMS = Path(__file__).parent / "programs" / "healthy"
STILL = 5.0
"""Seconds in which nothing is done to a program: ample time to be wrong about it."""
AT_ONCE = 9
LIMIT = 40.0
"""Seconds in which a program must have come to its end."""
FINE = (0, "finished", None)
"""Exit status, verdict and certainty of a program that came to its end unharmed."""


@dataclass(frozen=True)
class Started:
    """A program that has said that it is ready."""

    process: "subprocess.Popen[str]"
    report: Path
    pid: int
    words: tuple[str, ...]
    """What else it said."""


def groups(file: str) -> list[tuple[str, ...]]:
    """Divide the programs of a file into groups that run side by side."""
    names = names_in(file)
    count = -(-len(names) // AT_ONCE)
    return [names[i::count] for i in range(count)]


def first_of(names: tuple[str, ...]) -> str:
    """Name a group by its first program."""
    return names[0]


def names_in(file: str) -> tuple[str, ...]:
    """Name the programs of a file: its public functions."""
    tree = ast.parse((PROGRAMS / file).read_text(encoding="utf-8"))
    functions = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    return tuple(name for name in functions if not name.startswith("_"))


def start(
    command: Sequence[str],
    report: Path,
    options: Iterable[str] = ("--patience", "30", "--on-hang", "end"),
    **how: Any,
) -> Started:
    """Start a program under hangbisect, and wait until it says that it is ready."""
    how.setdefault("stdin", subprocess.DEVNULL)
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "hangbisect", "run", "--format", "json", "-o", str(report)),
            *(*options, "--", *command),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )
    said = _first_line(process).split()
    if said[:1] != ["ready"]:
        process.kill()
        raise AssertionError(f"{command} said {said}: {process.communicate()[1]}")
    return Started(process=process, report=report, pid=int(said[1]), words=tuple(said[2:]))


def outcomes(
    started: Mapping[str, Started], act: Callable[[Started], None] | None = None
) -> dict[str, tuple[object, ...]]:
    """Leave programs alone for a while, act, and tell how each ended and what was said of it."""
    try:
        _leave_alone([each.process for each in started.values()])
        for each in started.values():
            if act is not None and each.process.poll() is None:
                act(each)
        return {name: outcome(each) for name, each in started.items()}
    finally:
        for each in started.values():
            finish(each)


def outcome(each: Started) -> tuple[object, ...]:
    """Wait for a program's end, and tell exit status, verdict, certainty; and words of distress."""
    _, errors = each.process.communicate(timeout=LIMIT)
    assert each.report.exists(), errors
    report = report_of(each)
    said = (each.process.returncode, report["verdict"], report["certainty"])
    return said if said == FINE else (*said, errors, report["wait_chain"])


def report_of(each: Started) -> dict[str, Any]:
    """Read the report of a program that has ended."""
    found: dict[str, Any] = json.loads(each.report.read_text(encoding="utf-8"))
    return found


def finish(each: Started) -> None:
    """End a program that has not ended; the target goes first, since it would go on alone."""
    if each.process.poll() is None:
        subprocess.run(["kill", "-9", str(each.pid)], check=False)
        each.process.wait(timeout=LIMIT)
    for stream in (each.process.stdin, each.process.stdout, each.process.stderr):
        _close(stream)


def _first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def _leave_alone(processes: Sequence["subprocess.Popen[str]"]) -> None:
    """Wait until one is ended, as none should be, or the time is over."""
    end = time.monotonic() + STILL
    while time.monotonic() < end and all(each.poll() is None for each in processes):
        time.sleep(0.05)


def _close(stream: IO[str] | None) -> None:
    if stream is not None:
        stream.close()
