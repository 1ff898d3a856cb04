"""Run CPython's own tests bare and under the probe, and compare every outcome.

    python tests/transparency/run.py [PYTHON...]

Prints a line a test module with the number of processes that the probe was in, then each
difference. Exits with 1 if one of them is not among the documented ones (`documented.py`).
Both runs have PYTHONHOME set: otherwise the tests start their children with -I, unprobed.
"""

import shutil
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from compare import Difference, compare, undocumented
from outcomes import Run, run_module

MODULES = (
    "test_subprocess",
    "test_faulthandler",
    "test_importlib",
    "test_signal",
    "test_threading",
    "test_import",
    "test_site",
    "test_runpy",
    "test_fork1",
)
"""The slow ones first: two run at a time."""
AGAIN = 2
"""A module that differed is run so often again: a difference must come each time."""


def main(pythons: list[str]) -> int:
    """Compare on each interpreter; give the exit status."""
    _let_signals_through()
    unexpected = 0
    for python in pythons or [sys.executable]:
        unexpected += check(python)
    print(f"{unexpected} undocumented differences")
    return 1 if unexpected else 0


def _let_signals_through() -> None:
    """Undo what a shell in the background did: CPython's tests need Ctrl-C to have its effect."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def check(python: str) -> int:
    """Compare on one interpreter; give the number of undocumented differences."""
    print(f"== {python}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="transparency-"))
    try:
        with ThreadPoolExecutor(2) as pool:
            jobs = {name: pool.submit(differences, python, name, folder) for name in MODULES}
            found = [job.result() for job in jobs.values()]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    unexpected = [one for several in found for one in undocumented(several)]
    for several in found:
        for one in several:
            mark = "UNDOCUMENTED" if one in unexpected else "documented"
            print(f"  {mark}: {one.test}: {one.bare} bare, {one.probed} probed", flush=True)
    return len(unexpected)


def differences(python: str, name: str, folder: Path) -> tuple[Difference, ...]:
    """Run one module both ways; keep the differences that come each time."""
    bare, probed = both(python, name, folder / name)
    found = compare(bare, probed)
    print(
        f"  {name}: {len(bare.outcomes)} outcomes, {probed.probed} processes probed, "
        f"{len(found)} differences",
        flush=True,
    )
    for attempt in range(AGAIN):
        if undocumented(found):
            again = compare(*both(python, name, folder / f"{name}-{attempt}"))
            found = tuple(one for one in found if one in again)
    return found


def both(python: str, name: str, folder: Path) -> tuple[Run, Run]:
    """Run one module bare, then probed."""
    bare = run_module(python, name, folder / "bare", probed=False)
    return bare, run_module(python, name, folder / "probed", probed=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
