"""Slow is not hung: programs that take long are left alone, and what moves in them is named."""

import os
import shutil
from pathlib import Path

import pytest

from tests.process._cgroup import why_no_groups
from tests.process._slow import Slow, run, squeeze, stop, suspend, throttle, trickle

pytestmark = [
    pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux"),
    pytest.mark.slow,
    pytest.mark.timeout(900),
]
PROGRAMS = {
    "a back-off": Slow(module="back_off", seconds=60, end="timer"),
    "a silent child that works": Slow(
        module="silent_child", seconds=50, code="HB901", says="of a CPU"
    ),
    "page faults only": Slow(
        module="page_faults", seconds=40, code="HB901", says="pages/s made or brought in"
    ),
    "a barrier with late ranks": Slow(module="barrier", seconds=150, end="outside"),
    "a compile": Slow(
        module="compile", seconds=60, code="HB902", says="of 40 files in", needs=("ninja", "gcc")
    ),
    "a trickling download": Slow(
        module="download", seconds=70, code="HB903", says="kB/s; how much is left", around=trickle
    ),
    "5 % of a CPU": Slow(module="compute", seconds=90, code="HB901", says="CPU", act=throttle),
    "SIGSTOP and SIGCONT": Slow(module="work", seconds=40, code="HB604", end="outside", act=stop),
    "a suspend": Slow(module="work", seconds=40, code="HB901", says="of a CPU", act=suspend),
    "too little memory": Slow(
        module="swap", seconds=60, code="HB901", says="from storage", act=squeeze
    ),
    "a huge pickle": Slow(
        module="pickled", seconds=60, code="HB901", says="index.pickle are read, about"
    ),
    "garbage collection": Slow(module="garbage", seconds=60, code="HB901", says="of a CPU"),
}
GROUPS = {"5 % of a CPU": "cpu", "too little memory": "memory"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_slow_program_is_left_alone_and_what_moves_is_named(name: str, tmp_path: Path) -> None:
    slow = PROGRAMS[name]
    if why := why_skipped(name, slow):
        pytest.skip(why)

    default, limited = run(slow, tmp_path)

    assert (default["verdict"], default["certainty"]) == ("finished", None)
    assert (limited["verdict"], limited["certainty"]) == ("slow", None)
    assert limited["end"] == slow.end
    first = limited["findings"][0] if limited["findings"] else {"code": "", "summary": ""}
    assert first["code"] == slow.code
    assert slow.says in first["summary"]


def why_skipped(name: str, slow: Slow) -> str:
    """Say what is missing here for a program; "" if nothing is."""
    missing = [command for command in slow.needs if shutil.which(command) is None]
    if missing:
        return f"no {missing[0]}"
    return why_no_groups(GROUPS[name]) if name in GROUPS else ""
