"""Runs one of CPython's test modules and reads what became of each test."""

import contextlib
import os
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

INJECT = Path(__file__).parents[2] / "hangbisect" / "probe" / "inject"
LIMIT = 240
"""Seconds that one module may take."""
HOME = "import sys; print(sys.base_prefix)"


@dataclass(frozen=True)
class Run:
    """What became of each test, and how many processes the probe was in."""

    outcomes: dict[str, str]
    probed: int


def run_module(python: str, name: str, folder: Path, *, probed: bool) -> Run:
    """Run a test module in `folder`, which is made."""
    record, results = folder / "record", folder / "results.xml"
    for made in (record, folder / "empty", folder / "work"):
        made.mkdir(parents=True, mode=0o700)
    command = [python, "-m", "test", "--junit-xml", str(results), name]
    environment = dict(os.environ, PYTHONHOME=_home(python), PYTHONPATH=str(folder / "empty"))
    environment.pop("HANGBISECT_FOLDER", None)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment.pop("PYTHONUNBUFFERED", None)
    if probed:
        environment.update(HANGBISECT_FOLDER=str(record), PYTHONPATH=str(INJECT))
    _run(command, folder, environment)
    lost = record / "lost"
    count = len(list(record.glob("*.flight"))) + (lost.stat().st_size if lost.exists() else 0)
    return Run(outcomes=_read(results), probed=count)


def _home(python: str) -> str:
    command = [python, "-I", "-c", HOME]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Run to the end or to the limit, and leave no process of the session behind."""
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder / "work",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            print(f"  {command[-1]} took longer than {LIMIT} s", flush=True)
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing was left
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _read(results: Path) -> dict[str, str]:
    """Read the outcome of each test: "ok", "failure", "error" or "skipped"."""
    if not results.exists():
        return {"(the whole module)": "no results"}
    outcomes = {}
    for case in ElementTree.parse(results).iter("testcase"):
        name = f"{case.get('classname', '')}.{case.get('name', '')}".lstrip(".")
        tags = {child.tag for child in case} & {"failure", "error", "skipped"}
        outcomes[name] = min(tags) if tags else "ok"
    return outcomes
