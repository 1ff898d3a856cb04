"""A fault of hangbisect's own takes neither the target's output nor its exit status with it."""

import subprocess
import sys
from pathlib import Path

import pytest

BROKEN = """
import sys
from hangbisect.watch import run, supervise
from hangbisect import session, cli
def fail(*args, **options):
    raise RuntimeError("a bug of ours")
{broken} = fail
sys.argv[1:] = {arguments!r}
cli.main()
"""
TARGET = "import sys, time; print('begun', flush=True); time.sleep(1); print('done'); sys.exit(7)"

pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param("supervise._scene", id="before the first look"),
        pytest.param("run.Watch.turn", id="while it watches"),
        pytest.param("supervise._ended", id="after the target's end"),
        pytest.param("session.judge", id="in the diagnosis"),
    ],
)
@pytest.mark.parametrize(
    ("options", "status"), [([], 7), (["--exit-code", "bisect"], 125)], ids=["child", "bisect"]
)
def test_the_target_goes_on_to_its_own_end(
    broken: str, options: list[str], status: int, tmp_path: Path
) -> None:
    arguments = ["run", *options, "--", "-c", TARGET]

    done = subprocess.run(
        [sys.executable, "-c", BROKEN.format(broken=broken, arguments=arguments)],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=40,
    )  # fmt: skip

    assert (done.stdout, done.returncode) == ("begun\ndone\n", status), done.stderr
    assert "RuntimeError: a bug of ours\nhangbisect failed; this is a bug in it." in done.stderr


def test_the_command_below_exec_goes_on_to_its_own_end(tmp_path: Path) -> None:
    program = BROKEN.replace("import run, ", "import below, run, ").format(
        broken="below._Round.go", arguments=["exec", "--", sys.executable, "-c", TARGET]
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=40,
    )  # fmt: skip

    assert (done.stdout, done.returncode) == ("begun\ndone\n", 7), done.stderr
