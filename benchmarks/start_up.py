"""Measure what an armed interpreter costs at each start: `python -c pass`, in the order A B B A.

    python benchmarks/start_up.py [--pairs N] [--code CODE] PYTHON...

Two environments are made of each PYTHON, and one of them is armed. Prints milliseconds of wall
time more: the median of the pairs with its quartiles, and the difference of the least times. The
row bare against bare is the noise. Python pays for the first `.pth` file of an environment,
whatever is in it: on 3.13 it imports a codec. Most environments have one already.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hangbisect.follow import arming, gate, hook
from hangbisect.follow.interpreter import ask, compile_module
from hangbisect.follow.watch_session import WatchSession

HOUR = 3600
BEFORE = "import sys, time; sys.began = time.perf_counter()"
AFTER = "import sys, time; print((time.perf_counter() - sys.began) * 1000)"
PROBE = Path(hook.__file__).parents[1] / "probe"


def environment(python: str, folder: Path) -> str:
    """Make a virtual environment and return its Python."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / "bin" / "python")


def wall(python: str, code: str) -> float:
    """Start and end a Python that runs some code; return the milliseconds that it took."""
    began = time.perf_counter()
    pid = os.posix_spawn(python, [python, "-c", code], os.environ)
    _, status = os.waitpid(pid, 0)
    if status:
        raise SystemExit(f"{python} ended with status {status}")
    return (time.perf_counter() - began) * 1000


def compare(one: str, other: str, count: int, code: str) -> tuple[list[float], float]:
    """Give what `other` takes more than `one`: for each pair of pairs, and of the least times."""
    more, least_one, least_other = [], [], []
    for _ in range(count):
        first, second, third, fourth = (wall(p, code) for p in (one, other, other, one))
        more.append((second + third - first - fourth) / 2)
        least_one += [first, fourth]
        least_other += [second, third]
    return more, min(least_other) - min(least_one)


def inside(python: str, site: str, count: int) -> list[float]:
    """Give the milliseconds that the armed line takes within a start, both times that it runs."""
    path = Path(site, hook.PTH)
    written = path.read_bytes()
    line = written.decode("ascii").splitlines()[-1]
    path.write_text(f"{BEFORE}\n{line}\n{AFTER}\n", encoding="ascii")
    found = []
    for _ in range(count):
        answer = subprocess.run([python, "-c", "pass"], capture_output=True, check=True).stdout
        found.append(sum(map(float, answer.split())))
    path.write_bytes(written)
    return found


def with_least(times: list[float]) -> tuple[list[float], float]:
    """Give some times, and the least of them."""
    return times, min(times)


@contextmanager
def open_for_others(root: Path) -> Iterator[None]:
    """Keep a watch open that wants none of these processes."""
    session = WatchSession(
        watcher=os.getpid(),
        began=gate.began(os.getpid()),
        until=int(time.time()) + HOUR,
        folder=str(root),
        probe=str(PROBE),
        patterns=("another.py",),
    )
    gate.open_session(session, root)
    yield
    gate.close_session(session, root)


def show(name: str, found: tuple[list[float], float]) -> None:
    """Print a row."""
    low, middle, high = statistics.quantiles(found[0], n=4)
    print(
        f"| {name} | {middle:+.3f} ms | {low:+.3f} to {high:+.3f} | {found[1]:+.3f} ms |",
        flush=True,
    )


def measure(python: str, count: int, code: str, folder: Path) -> None:
    """Measure one Python in a folder of its own."""
    bare = environment(python, folder / "bare")
    twin = environment(python, folder / "twin")
    armed = environment(python, folder / "arms")
    asked = ask(armed)
    scope = hook.Scope(until=int(time.time()) + HOUR, root=str(folder))
    files = hook.files(scope, asked.version, hook.SOURCE.read_text("ascii"))
    arming.write(files, Path(asked.site))
    compile_module(armed, Path(asked.site, hook.MODULE))
    name = f"{asked.version[0]}.{asked.version[1]}"
    show(f"{name} bare / bare", compare(bare, twin, count, code))
    Path(ask(twin).site, "00_comment.pth").write_text("# nothing\n", encoding="ascii")
    show(f"{name} any .pth / bare", compare(bare, twin, count, code))
    show(f"{name} armed, no watch / any .pth", compare(twin, armed, count, code))
    show(f"{name} armed, no watch / bare", compare(bare, armed, count, code))
    show(f"{name} the line itself, no watch", with_least(inside(armed, asked.site, count)))
    with open_for_others(folder):
        show(f"{name} armed, a watch of others / bare", compare(bare, armed, count, code))
        times = inside(armed, asked.site, count)
        show(f"{name} the line itself, a watch of others", with_least(times))


def main() -> None:
    """Measure each Python and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--code", default="pass")
    parser.add_argument("pythons", nargs="*", default=[sys.executable])
    arguments = parser.parse_args()
    print("| row | median | quartiles | least times |\n| --- | --- | --- | --- |")
    for python in arguments.pythons:
        with tempfile.TemporaryDirectory(prefix="hangbisect-bench-", dir="/tmp") as folder:
            measure(python, arguments.pairs, arguments.code, Path(folder))


if __name__ == "__main__":
    main()
