"""`hangbisect exec -- torchrun`: the rank that is stuck is blamed, healthy ones are left alone."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.process._followed import HANGS, exec_command, followed, reports, roles

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs torch"),
    pytest.mark.timeout(150),
]
TRAINS = """
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
if os.environ["RANK"] == sys.argv[1]:
    import stuck
import torch
import torch.distributed as dist
dist.init_process_group("gloo")
value = torch.tensor([float(os.environ["RANK"]) + 1])
dist.all_reduce(value)
if os.environ["RANK"] == "0":
    print("sum", value.item(), flush=True)
dist.destroy_process_group()
"""
TORCHRUN = (sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a training of two ranks, one of which may be stuck in an import."""
    (tmp_path / "train.py").write_text(TRAINS)
    (tmp_path / "stuck.py").write_text(HANGS)
    return tmp_path


def test_the_rank_that_is_stuck_in_an_import_is_blamed(folder: Path) -> None:
    with followed(folder, *TORCHRUN, "train.py", "1") as process:
        (report,) = reports(folder)

        assert process.poll() is None
    assert (report["verdict"], report["certainty"]) == ("hung", "proved")
    assert roles(report) == ["elastic agent", "rank 0", "rank 1"]
    assert [step["name"] for step in report["step"]["chain"]][:1] == ["stuck"]
    assert report["processes"][2]["pid"] == report["step"]["pid"]


def test_healthy_ranks_give_what_they_give_bare(folder: Path) -> None:
    done = subprocess.run(
        exec_command(folder, *TORCHRUN, "train.py", "none"),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert (done.returncode, done.stdout) == (0, "sum 3.0\n")
    assert "hangbisect:" not in done.stderr
    assert list((folder / "reports").iterdir()) == []
