"""Measure what the probe costs: CPU of `import torch`, bare against probed, in the order A B B A.

    python benchmarks/import_torch.py [--python PYTHON] [--pairs N] [--module MODULE]

Prints the median of the ratios of user + system time (wait4), with its quartiles, the ratio of the
least times (what is least disturbed by other work on the machine), and a bare against bare row:
differences below that one are noise.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

INJECT = Path(__file__).resolve().parent.parent / "hangbisect" / "probe" / "inject"


def cpu(command: list[str], environment: dict[str, str]) -> float:
    """Run a command to its end and give the CPU seconds that it took."""
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, number) for number in (0, 1, 2)]
    pid = os.posix_spawn(command[0], command, environment, file_actions=actions)
    os.close(null)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"{command} ended with status {status}")
    return usage.ru_utime + usage.ru_stime


def probed(command: list[str], environment: dict[str, str]) -> float:
    """Run a command with the probe, in a record folder of its own."""
    folder = tempfile.mkdtemp(prefix="hangbisect-bench-")
    paths = [str(INJECT), *filter(None, [environment.get("PYTHONPATH")])]
    changed = {"HANGBISECT_FOLDER": folder, "PYTHONPATH": os.pathsep.join(paths)}
    try:
        return cpu(command, environment | changed)
    finally:
        shutil.rmtree(folder)


def pairs(command: list[str], count: int, *, against_probe: bool) -> list[tuple[float, float]]:
    """Give the CPU seconds of pairs (bare, other), each the sum of two runs: A B B A.

    So a machine that grows faster or slower meanwhile weighs on both alike.
    """
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the first run compiles, the others do not
    other = probed if against_probe else cpu
    found = []
    for _ in range(count):
        bare = cpu(command, environment)
        changed = other(command, environment) + other(command, environment)
        found.append((bare + cpu(command, environment), changed))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--module", default="torch")
    options = parser.parse_args()
    command = [shutil.which(options.python) or options.python, "-c", f"import {options.module}"]
    pairs(command, 1, against_probe=True)
    for name, against_probe in (("bare / bare", False), ("probed / bare", True)):
        found = pairs(command, options.pairs, against_probe=against_probe)
        low, middle, high = statistics.quantiles([changed / bare for bare, changed in found], n=4)
        least = min(changed for _, changed in found) / min(bare for bare, _ in found)
        print(
            f"{name:14} x{middle:.3f}  (quartiles x{low:.3f} to x{high:.3f}; "
            f"of the least x{least:.3f}; {len(found)} pairs)"
        )


if __name__ == "__main__":
    main()
