"""Trains on a GPU bare and under hangbisect, then stuck: `make gpu-check`. No test collects this.

Status 0: as it should be, or there is no GPU here (said in one line). 1: something differs.
The interpreter is the first of HANGBISECT_TORCH_PYTHON, this one, and PATH's whose torch has CUDA.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TRAINER = Path(__file__).parents[2] / "fixtures" / "trainer"
UNDER = [sys.executable, "-m", "hangbisect", "run"]
DEVICES = (Path("/dev/nvidiactl"), Path("/dev/dxg"), Path("/dev/kfd"))
LIMIT = 240.0
ASKS_FOR_CUDA = "import sys, torch, yaml; sys.exit(not torch.cuda.is_available())"
FIRST_USE = "import torch; print(torch.ones(8, device='cuda').sum().item())"


def main() -> int:
    """Do the three checks, or say that there is no GPU."""
    if not any(device.exists() for device in DEVICES):
        print("gpu-check: no GPU here (no device file of a driver); nothing was run")
        return 0
    python = find_python()
    if python is None:
        print("gpu-check: no interpreter here has torch with CUDA, and yaml; nothing was run")
        return 0
    print(f"gpu-check: {python}")
    checks = (same(python, ["-c", FIRST_USE]), same(python, ["run.py", "config.yaml"]))
    return 0 if all((*checks, explained(python))) else 1


def find_python() -> str | None:
    """Return the first interpreter that can use a GPU."""
    candidates = (
        os.environ.get("HANGBISECT_TORCH_PYTHON"),
        sys.executable,
        shutil.which("python3"),
    )
    for python in filter(None, candidates):
        try:
            asked = subprocess.run(
                [python, "-c", ASKS_FOR_CUDA], capture_output=True, timeout=LIMIT
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if asked.returncode == 0:
            return python
    return None


def start(command: list[str]) -> tuple[int, bytes, bytes]:
    """Run a command to its end; return its exit status, stdout and stderr."""
    ended = subprocess.run(
        command, cwd=TRAINER, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT
    )
    return ended.returncode, ended.stdout, ended.stderr


def same(python: str, target: list[str]) -> bool:
    """Compare a program that ends with itself under hangbisect, byte for byte."""
    bare = start([python, *target])
    under = start([*UNDER, "--python", python, *target])
    say(f"as bare: {' '.join(target)[:60]}", bare == under and bare[0] == 0)
    if bare != under or bare[0] != 0:
        print(f"  bare:  {bare}\n  under: {under}")
    return bare == under and bare[0] == 0


def explained(python: str) -> bool:
    """See whether a trainer that is stuck after it took the GPU is explained."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--format", "json", "-o", str(report), "--patience", "10", "--on-hang", "end"]
        target = ["run.py", "config.yaml", "--hang", "stale-lock"]
        status, _, errors = start([*UNDER, *options, "--python", python, *target])
        written = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    codes = [finding["code"] for finding in written.get("findings", [])]
    is_right = (status, codes[:1]) == (124, ["HB401"])
    say("stuck on a stale lock", is_right)
    if not is_right:
        print(f"  status {status}, causes {codes}\n  {errors.decode(errors='replace')}")
    return is_right


def say(what: str, is_right: bool) -> None:
    """Print one line a check."""
    print(f"gpu-check: {'ok    ' if is_right else 'FAILED'} {what}")


if __name__ == "__main__":
    sys.exit(main())
