"""The program compiles something before it goes on.

## What happens

Nothing hangs: a compiler works for the program, mostly for an extension or a kernel that is
built at its first use, and then never again.

## Why

`torch.utils.cpp_extension`, Triton, Numba, DeepSpeed and others build when they are first
asked. With few processors, or MAX_JOBS=1, minutes pass.

## How it is recognised

Below the target runs a compiler, assembler or linker, by its program's name, and something
moved while it was looked at. It was said to take long by `--within` or by who looked.

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
from hangbisect.causes._rule import Rule
from hangbisect.model import Blocker, Finding, Fix, Process
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
        into = f", which writes {writes}" if writes else ""
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        return self.finding(
            "likely",
            f"{step_words(step_of(reading))} compiles: {_name(leaf)} (process {leaf.pid}){more} is "
            f"at work{into}.",
            blocker=Blocker(
                kind="process",
                id=_name(leaf),
                detail={"pid": leaf.pid, "writes": writes or None, "compilers": len(found)},
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
