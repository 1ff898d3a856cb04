"""Healthy programs in which native code goes on: its threads, its timers, its constructors."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.process._healthy import FINE, PROGRAMS, first_of, groups, outcomes, start

COMPILER = shutil.which(os.environ.get("CC", "cc"))
pytestmark = [
    pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux"),
    pytest.mark.skipif(COMPILER is None, reason="no C compiler (cc, or the one that CC names)"),
]


def build(folder: Path, name: str, *options: str) -> str:
    """Compile the native waits into a library."""
    library, source = str(folder / name), str(PROGRAMS.parent / "waits.c")
    command = [str(COMPILER), "-shared", "-fPIC", "-o", library, *options, source]
    subprocess.run([*command, "-lpthread", "-lrt"], check=True, timeout=30)
    return library


@pytest.mark.parametrize("names", groups("native.py"), ids=first_of)
def test_what_native_code_will_end_is_not_called_hung(
    names: tuple[str, ...], tmp_path: Path
) -> None:
    waits = build(tmp_path, "waits.so")
    slow = build(tmp_path, "slow.so", "-DSLOW_CONSTRUCTOR=5")
    started = {
        name: start((str(PROGRAMS / "native.py"), name, waits, slow), tmp_path / f"{name}.json")
        for name in names
    }

    found = outcomes(started)

    assert found == dict.fromkeys(names, FINE)
