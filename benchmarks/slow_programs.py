"""Run the twelve slow programs in full length with default settings, and print a table of it.

python benchmarks/slow_programs.py [NAME ...] > table.md (about 15 minutes; two runs at a time)
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
os.environ["HANGBISECT_SLOW"] = "full"
sys.path.insert(0, str(ROOT))

from tests.process._slow import run  # noqa: E402
from tests.process.test_slow import PROGRAMS, why_skipped  # noqa: E402


def main() -> None:
    """Run all of them, one after the other: each with default settings, and with --within."""
    print("| program | it took | default settings | with `--within` of half its time |")
    print("| --- | --- | --- | --- |", flush=True)
    for name in sys.argv[1:] or PROGRAMS:
        slow = PROGRAMS[name]
        if why := why_skipped(name, slow):
            print(f"| {name} | | {why} | |", flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            default, limited = run(slow, Path(folder))
            print(row(name, time.monotonic() - began, default, limited, folder), flush=True)


def row(
    name: str, seconds: float, default: dict[str, Any], limited: dict[str, Any], folder: str
) -> str:
    """Say what both reports came to."""
    first = next(iter(limited["findings"]), None)
    said = f"{first['code']}: {first['summary']}" if first else f"its wait ends: {limited['end']}"
    said = said.replace(folder, "...").replace("|", "\\|")
    verdict = limited["verdict"]
    return f"| {name} | {seconds:.0f} s | {default['verdict']} | {verdict}. {said} |"


if __name__ == "__main__":
    main()
