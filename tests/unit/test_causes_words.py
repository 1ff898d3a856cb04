"""What causes say of their saved snapshots: nothing that is not so, and advice that fits."""

from pathlib import Path

import pytest

from hangbisect.causes import all_rules
from hangbisect.causes._rows import where
from hangbisect.model import Finding, Frame, Snapshot, Thread
from hangbisect.model.codec import load
from hangbisect.waits import read

FOLDER = Path(__file__).parents[1] / "causes"
RULES = {rule.name.replace("-", "_"): rule for rule in all_rules()}


def _finding(name: str) -> Finding:
    document = load(FOLDER / f"{name}.json")
    assert isinstance(document, Snapshot)
    finding = RULES[name.partition("/")[0]].recognise(read(document))
    assert finding is not None
    return finding


def _told(name: str) -> str:
    finding = _finding(name)
    fix = finding.fix
    assert fix is not None
    return " ".join((finding.summary, fix.summary, *fix.steps))


PACKAGE = Frame(function="wait", file="/venv/lib/python3.11/site-packages/pool.py", line=9)
STANDARD = Frame(function="wait", file="/usr/lib/python3.11/threading.py", line=324)
OWN = Frame(function="main", file="/home/user/run.py", line=3)


@pytest.mark.parametrize(
    ("frames", "place"),
    [
        ((OWN, STANDARD), "run.py:3"),
        ((OWN, PACKAGE, STANDARD), "pool.py:9 (called from run.py:3)"),
        ((PACKAGE,), "pool.py:9"),
        ((PACKAGE, OWN), "run.py:3"),
    ],
)
def test_a_place_in_a_package_names_the_users_line_as_well(
    frames: tuple[Frame, ...], place: str
) -> None:
    assert where(Thread(pid=1, tid=1, state="S", frames=frames)) == place


@pytest.mark.parametrize(
    ("name", "says", "never"),
    [
        ("peer_silent/found-both-ends-are-its-own", "both ends are in this", "other side"),
        ("peer_silent/found-own-socket", "before run.py:4 reads", "other side"),
        ("child_never_exits/found-copy-by-fork", "its own worker, process 200", "Run it alone"),
        ("child_never_exits/found-worker", "its own worker, process 200", "Run it alone"),
        ("child_never_exits/found-below-a-shell", "timeout 10 nvidia-smi -L", "its own worker"),
        ("file_lock_held/found-by-itself", "before run.py:3 takes it again", "fuser"),
        ("file_lock_held/found-flock", "hangbisect attach", "takes it again"),
        ("gil_held_by_native_call/found-takes-a-mutex-twice", "the same thread has", "that thread"),
        ("gil_held_by_native_call/found-init-joins", "which that thread needs", "mutex"),
        ("pipe_not_drained/found-own-pipe", "only this same process 100", "does not read it"),
        ("pipe_not_drained/found-parent-waits", "process 100 does not read it", "this same"),
        ("never_signalled/found-in-a-command", "<string>:2 waits for", "threading.py"),
        ("peer_silent/found-local-peer", "the other side (process 300", "both ends"),
    ],
)
def test_a_cause_says_what_is_so_and_nothing_else(name: str, says: str, never: str) -> None:
    told = _told(name)

    assert says in told
    assert never not in told


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("slow_import/found-import-with-rates", "100.0 MB/s read, 80.0 MB/s from storage"),
        ("slow_import/found-import-with-rates", "(moving for 27 s); how much is left is not known"),
        ("slow_import/found-statement-amid-a-file", "about 15 s more at this rate"),
        ("slow_import/found-reads", "bytes read, CPU; how much is left is not known"),
        ("compiling/found-with-a-list", "12 of 90 files in /home/user/b are there"),
        ("compiling/found-with-a-list", "12 of them built in 30 s; about 3 min more at this rate"),
        ("compiling/found-with-a-list", "with 97 % of a CPU"),
        ("compiling/found-without-a-list", "3 object files in /home/user/b were built in 40 s"),
        ("compiling/found-without-a-list", "how much is left is not known"),
        ("compiling/found-nothing-built-yet", "how long it takes cannot be said yet"),
        ("downloading/found-with-a-rate", "48.0 MB have arrived, 40.0 MB/s; how much is left is"),
        ("downloading/found-into-a-file-of-full-length", "4.0 GB are missing, about 2 min more"),
    ],
)
def test_what_is_slow_has_a_rate_and_an_estimate_only_where_the_whole_is_known(
    name: str, says: str
) -> None:
    assert says in _told(name)
