"""The program compiles something before it goes on.

## What happens

Nothing hangs: a compiler works for the program, mostly for an extension or a kernel that is
built at its first use, and then never again.

## Why

`torch.utils.cpp_extension`, Triton, Numba, DeepSpeed and others build when they are first
asked. With few processors, or MAX_JOBS=1, minutes pass.

## How it is recognised

Below the target runs a compiler, assembler or linker, by its program's name, and something
moved while it was looked at. It was said to take long by `--within` or by who looked. How far
it has come is counted in the folder of the build: of all outputs that ninja's list
(build.ninja) names, those that are there. How long the rest takes follows from how many were
built since ninja began. Without such a list the object files that are new are counted, and how
many there will be is not known.

## How it is proved

By a second run, which finds what was built and is quick. A compiler that runs is a fact; that
it is why the start takes long is "likely".

## Fix

Wait. Keep the cache folder (TORCH_EXTENSIONS_DIR, TRITON_CACHE_DIR) between runs, build when
the image is made, and let MAX_JOBS be the number of processors, which costs memory.

## References

- https://pytorch.org/docs/stable/cpp_extension.html
- https://ninja-build.org/manual.html
"""

import re
from os.path import basename

from hangbisect.causes._evidence import process_row
from hangbisect.causes._moving import is_at_work, step_of, step_words
from hangbisect.causes._rates import UNKNOWN, moving_since, pace_of, seconds, time_left
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Build, Finding, Fix, Process
from hangbisect.waits import Reading

COMPILERS = re.compile(
    r"^(?:.*-)?(?:cc1(?:plus)?|gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|nvcc|cicc|ptxas|fatbinary|hipcc"
    r"|rustc|lld?|ld(?:\.\w+)?|as|collect2|lto1|ninja|make|cmake)(?:-[\d.]+)?$"
)
DRIVERS = re.compile(r"^(?:ninja|make|cmake|collect2)$")
"""They run others: named only where nobody else is seen."""


class Compiling(Rule):
    """A compiler at work below the target."""

    code = "HB902"
    name = "compiling"
    specificity = 20

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a compiler among the processes of a tree in which something moves."""
        found = _compilers(reading) if is_at_work(reading) else ()
        return self._found(reading, found) if found else None

    def _found(self, reading: Reading, found: tuple[Process, ...]) -> Finding:
        leaf = next((row for row in found if not DRIVERS.match(_name(row))), found[0])
        writes = _output(leaf)
        build = next(iter(reading.snapshot.builds), None)
        into = f", which writes {writes}" if writes else ""
        more = f" and {len(found) - 1} more are" if len(found) > 1 else " is"
        return self.finding(
            "likely",
            f"{step_words(step_of(reading))} compiles: {_name(leaf)} (process {leaf.pid}){more} "
            f"at work{into}{_cpu(reading, found)}; {_progress(build)}.",
            blocker=Blocker(
                kind="process",
                id=_name(leaf),
                detail={
                    "pid": leaf.pid,
                    "writes": writes or None,
                    "compilers": len(found),
                    "moving_since": moving_since(reading),
                    "folder": build.folder if build else None,
                    "built": build.built if build else None,
                    "missing": build.missing if build else None,
                    "total": build.total if build else None,
                },
            ),
            evidence=tuple(map(process_row, found[:4])),
            fix=Fix(
                summary="Wait: what is built now is there the next time.",
                steps=(
                    "Keep the folder of the cache between runs.",
                    "Set MAX_JOBS to the number of processors: that costs memory.",
                ),
            ),
            chain=reading.chain,
        )


def _cpu(reading: Reading, found: tuple[Process, ...]) -> str:
    """Say how much of a CPU the compilers use together, where that was measured."""
    share = sum(pace_of(reading, row.pid).cpu for row in found)
    return f", with {share * 100:.0f} % of a CPU" if share >= 0.005 else ""


def _progress(build: Build | None) -> str:
    """Say how far the build has come, and what is left of it."""
    if build is None:
        return UNKNOWN
    made = f"built in {seconds(build.seconds)}"
    if build.total is None or build.missing is None:
        return f"{build.built} object files in {build.folder} were {made}, and {UNKNOWN}"
    there = f"{build.total - build.missing} of {build.total} files in {build.folder} are there"
    if not build.missing:
        return f"{there}, and what it does beyond them is not known"
    rate = build.built / build.seconds if build.seconds else 0.0
    return f"{there}, {build.built} of them {made}; {time_left(build.missing, rate)}"


def _compilers(reading: Reading) -> tuple[Process, ...]:
    rows = reading.snapshot.processes
    alive = [row for row in rows if row.inside and row.state not in "ZX" and not row.python]
    return tuple(row for row in alive if COMPILERS.match(_name(row)))


def _name(process: Process) -> str:
    return basename(process.argv[0] if process.argv else process.executable)


def _output(process: Process) -> str:
    """Return the file after `-o`."""
    pairs = zip(process.argv, process.argv[1:], strict=False)
    return next((value for name, value in pairs if name == "-o"), "")


cause = Compiling()
