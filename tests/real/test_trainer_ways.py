"""Each way in which the trainer hangs or dies, with real torch: step, cause and blocker named."""

import json
import os
import re
import select
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

TRAINER = Path(__file__).parents[2] / "fixtures" / "trainer"
LIMIT = 150
PATIENCE = "4"

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(LIMIT + 20),
    pytest.mark.xdist_group("torch"),
]


class Answer(NamedTuple):
    """What the report has to say."""

    file: str
    """Base name of the step's file."""
    line: str
    """A part of the step's line."""
    code: str
    kind: str
    blocker: str
    """A pattern that the blocker's id fits."""


HANGS = {
    "stale-lock": Answer("stale_lock.py", "load(", "HB401", "file", r".*/trainer/build/lock"),
    "missing-rank": Answer("missing_rank.py", "init_process_group", "HB505", "rank", "1"),
    "wrong-master-port": Answer(
        "wrong_master_port.py", "init_process_group", "HB506", "host", r"127\.0\.0\.1:\d+"
    ),
    "worker-import": Answer("metrics_pipe.py", "open(", "HB403", "file", r".*/metrics\.fifo"),
    "openmp-fork": Answer("openmp_fork.py", "exp()", "HB301", "library", r".*/lib[a-z]*omp.*"),
    "tokenizers-fork": Answer(
        "tokenizers_fork.py", "encode_batch()", "HB301", "library", r".*/encoder\.so"
    ),
    "hub-download": Answer(
        "hub_download.py", "load_state_dict_from_url", "HB502", "host", r"127\.0\.0\.1:\d+"
    ),
    "prompt": Answer("prompt.py", "input(", "HB601", "terminal", "stdin"),
    "file-lock": Answer("file_lock.py", "acquire()", "HB402", "file", r".*/dataset\.lock"),
    "read-only-cache": Answer(
        "read_only_cache.py", "time.sleep", "HB404", "file", "/sys/kernel/trainer-cache"
    ),
    "missing-weights": Answer(
        "missing_weights.py", "time.sleep", "HB404", "file", r".*/base\.safetensors"
    ),
    "nvidia-smi": Answer("nvidia_smi.py", "check_output", "HB302", "process", "nvidia-smi"),
    "git-prompt": Answer("git_prompt.py", "subprocess.run", "HB602", "terminal", "/dev/tty"),
    "constructor": Answer("fused_kernels.py", "CDLL", "HB201", "library", r".*/kernels\.so"),
    "import-lock": Answer("tokenizer_pool.py", "join()", "HB101", "module", "tokenizer_pool"),
}
NEIGHBOURS = {"stop": "HB604", "gil": "HB107"}
"""Some of the small fixtures, hung in the middle of the trainer."""
DEATHS = {
    "segfault": ("crashed", "signal", "SIGSEGV", -11),
    "killed": ("crashed", "signal", "SIGKILL", -9),
    "os-exit": ("finished", "process", "os._exit", 0),
    "closed-stderr": ("failed", "module", "RuntimeError", 1),
}
"""Way to die -> verdict, kind and id of the blocker, exit status."""
COMPILED = ("constructor", "tokenizers-fork", "gil")


def under(report: Path, *options: str, way: tuple[str, str]) -> list[str]:
    command = [sys.executable, "-m", "hangbisect", "run", "--format", "json", "-o", str(report)]
    return [*command, *options, "--", "run.py", "config.yaml", *way]


def stuck(report: Path, way: str) -> dict[str, Any]:
    """Run the trainer into a hang, with a silent pipe as its input, and return the report."""
    if way in COMPILED and not shutil.which(os.environ.get("CC", "cc")):
        pytest.skip("no C compiler (cc, or the one that CC names)")
    command = under(
        report, "--patience", PATIENCE, "--on-hang", "end", "--exit-code", "verdict",
        way=("--hang", way),
    )  # fmt: skip
    silent, kept = os.pipe()
    try:
        ended = subprocess.run(
            command, cwd=TRAINER, stdin=silent, capture_output=True, timeout=LIMIT
        )
    finally:
        os.close(silent)
        os.close(kept)
    assert ended.returncode == 1, ended.stderr.decode()
    return read(report)


def asked(report: Path) -> dict[str, Any]:
    """Run the trainer on a terminal of its own until git has asked there, and return the report.

    A question that a person has before them is no hang: it is told when the start takes long.
    """
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    pid, terminal = os.forkpty()
    if pid == 0:
        os.chdir(TRAINER)
        command = under(report, "--within", "12", way=("--hang", "git-prompt"))
        os.execv(command[0], command)
    try:
        drain(terminal, until=report.exists)
    finally:
        os.close(terminal)  # the terminal is gone: all that runs on it gets SIGHUP
        os.waitpid(pid, 0)
    return read(report)


def drain(terminal: int, until: Any) -> None:
    """Read what is shown there until something is so, or the limit is over."""
    end = time.monotonic() + LIMIT
    while not until() and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            with suppress(OSError):  # EIO: nobody has it open any more
                os.read(terminal, 4096)


def read(report: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return document


def text_at(step: dict[str, Any]) -> str:
    """Return the source line of a step."""
    return Path(step["file"]).read_text(encoding="utf-8").splitlines()[step["line"] - 1]


@pytest.mark.parametrize("way", HANGS)
def test_the_step_the_cause_and_the_blocker_of_a_hang_are_named(way: str, tmp_path: Path) -> None:
    wanted, report = HANGS[way], tmp_path / "report.json"

    found = asked(report) if way == "git-prompt" else stuck(report, way)

    step, first = found["step"], found["findings"][0]
    assert Path(step["file"]).name == wanted.file
    assert wanted.line in text_at(step)
    assert wanted.line in step["name"]
    assert (first["code"], first["blocker"]["kind"]) == (wanted.code, wanted.kind)
    assert re.fullmatch(wanted.blocker, first["blocker"]["id"])


@pytest.mark.parametrize("way", NEIGHBOURS)
def test_a_small_fixture_is_named_in_the_middle_of_the_trainer_too(
    way: str, tmp_path: Path
) -> None:
    found = stuck(tmp_path / "report.json", way)

    assert found["findings"][0]["code"] == NEIGHBOURS[way]


@pytest.mark.parametrize("way", DEATHS)
def test_a_death_without_a_word_is_told(way: str, tmp_path: Path) -> None:
    verdict, kind, blocker, status = DEATHS[way]
    report = tmp_path / "report.json"

    ended = subprocess.run(
        under(report, way=("--die", way)),
        cwd=TRAINER, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
    )  # fmt: skip

    found = read(report)
    first = found["findings"][0]
    assert (ended.returncode, found["verdict"]) == (status, verdict)
    assert (first["code"], first["blocker"]["kind"]) == ("HB904", kind)
    assert first["blocker"]["id"] == blocker
    assert re.search(r"(run|deaths)\.py:\d+", first["summary"])
