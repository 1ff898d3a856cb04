"""Deaths that nobody is told of, each on an old, a middle and a new Python."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

from hangbisect.host.kernel_log import KernelLog
from hangbisect.report.json import schema
from tests.process import _cgroup
from tests.process.conftest import PYTHONS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="runs below a keeper")
PROGRAMS = Path(__file__).parent / "programs" / "died"
SOME = [version for version in ("3.8", "3.11", "3.13") if version in PYTHONS]
LIMIT = 50
LIMITED = "import os, sys; open(sys.argv[1], 'w').write('0'); os.execv(sys.argv[2], sys.argv[2:])"
"""Join the group whose file of processes comes first, and become the command that follows."""


@dataclass(frozen=True)
class Done:
    """What a run came to."""

    status: int
    said: str
    """What hangbisect and the program wrote to stderr."""
    report: dict[str, object]

    @property
    def finding(self) -> tuple[str, str, str]:
        """Certainty, blocker and summary of the one finding; empty strings without one."""
        findings = self.report["findings"]
        assert isinstance(findings, list)
        if not findings:
            return ("", "", "")
        assert findings[0]["code"] == "HB904"
        (found,) = findings
        return found["certainty"], found["blocker"]["id"], found["summary"]

    @property
    def evidence(self) -> str:
        """What all evidence shows."""
        findings = self.report["findings"]
        assert isinstance(findings, list)
        return "\n".join(row["shows"] for found in findings for row in found["evidence"])

    @property
    def is_said(self) -> bool:
        """Whether a report was printed unasked."""
        return "HB904" in self.said


@pytest.fixture(params=SOME)
def exe(request: pytest.FixtureRequest) -> str:
    return PYTHONS[str(request.param)]


def run(
    exe: str,
    folder: Path,
    *target: str,
    before: Sequence[str] = (),
    extra: dict[str, str] | None = None,
) -> Done:
    """Run a program of the folder `died` under hangbisect."""
    command = (sys.executable, "-m", "hangbisect", "run", "--python", exe, "-o", "report.json")
    script, *arguments = target
    done = subprocess.run(
        [*before, *command, "--", str(PROGRAMS / script), *arguments],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={
            **os.environ,
            "TMPDIR": str(folder),
            "XDG_RUNTIME_DIR": "",
            "PYTHONDONTWRITEBYTECODE": "1",
            **(extra or {}),
        },
    )
    report = json.loads((folder / "report.json").read_text())
    assert list(jsonschema.Draft202012Validator(schema()).iter_errors(report)) == []
    return Done(done.returncode, done.stderr, report)


def extension(exe: str, folder: Path, how: str) -> dict[str, str]:
    """Build the module that perishes; give the variables with which it is found and does so."""
    ask = "import sysconfig as s; print(s.get_paths()['include'], s.get_config_var('EXT_SUFFIX'))"
    asked = subprocess.check_output([exe, "-I", "-c", ask], text=True, timeout=20)
    include, suffix = asked.split()
    if not Path(include, "Python.h").exists():
        pytest.skip("no Python.h")
    built = folder / f"perishes{suffix}"
    source = str(PROGRAMS / "perishes.c")
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O0", f"-I{include}", "-o", str(built), source],
        check=True,
        timeout=60,
    )
    return {"PYTHONPATH": str(folder), "HOW": how}


def test_a_fault_below_ctypes_has_its_line_and_pythons_stack(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "crashes.py")

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("proved", "SIGSEGV", -11)
    assert "died of SIGSEGV" in summary
    assert "crashes.py:7" in summary
    assert "in string_at" in done.evidence
    assert done.is_said


def test_a_fault_in_an_extension_names_its_import(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "loads_extension.py", extra=extension(exe, tmp_path, "fault"))

    certainty, _, summary = done.finding
    assert (certainty, done.status) == ("proved", -11)
    assert "in the import of perishes (loads_extension.py:5)" in summary


@pytest.mark.skipif(
    Path("/proc/sys/kernel/core_pattern").read_text().startswith(("|", "/"))
    if sys.platform == "linux"
    else True,
    reason="cores are not left in the working directory here",
)
def test_a_core_file_adds_the_native_stack(exe: str, tmp_path: Path) -> None:
    extra = extension(exe, tmp_path, "fault")
    unlimited = ("sh", "-c", 'ulimit -c unlimited && exec "$@"', "sh")

    done = run(exe, tmp_path, "loads_extension.py", extra=extra, before=unlimited)

    certainty, blocker, summary = done.finding
    assert certainty == "proved"
    assert Path(blocker).name.startswith("perishes.")
    assert "crashed in native code (SIGSEGV" in summary
    assert "touch in perishes." in done.evidence


def test_a_stack_overflow_in_native_code_is_a_death_in_that_import(
    exe: str, tmp_path: Path
) -> None:
    done = run(exe, tmp_path, "loads_extension.py", extra=extension(exe, tmp_path, "overflow"))

    certainty, _, summary = done.finding
    assert (certainty, done.status) == ("proved", -11)
    assert "in the import of perishes" in summary


def test_abort_is_told_beside_its_message(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "loads_extension.py", extra=extension(exe, tmp_path, "abort"))

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("proved", "SIGABRT", -6)
    assert "abort" in summary
    assert "perishes: too many of them" in done.said


def test_exit_in_native_code_during_an_import_is_told(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "loads_extension.py", extra=extension(exe, tmp_path, "exit"))

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("likely", "perishes", 0)
    assert "without Python's own end" in summary
    assert done.is_said


def test_a_mapped_file_that_was_cut_off_is_named_by_its_signal(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "cut_short.py")

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("proved", "SIGBUS", -7)
    assert "cut_short.py:10" in summary


def test_of_a_kill_from_outside_the_sender_is_not_known(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "killed.py")

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("likely", "SIGKILL", -9)
    assert "Who sent it cannot be known" in summary
    assert ("names no kill of this process" in done.evidence) == (KernelLog().why == "")


@pytest.mark.skipif(
    _cgroup.why_no_groups("memory") != "", reason=_cgroup.why_no_groups("memory") or "groups"
)
def test_out_of_memory_is_proved_by_the_kernels_log(exe: str, tmp_path: Path) -> None:
    size = str(200 << 20)
    first, second = {"memory.limit_in_bytes": size}, {"memory.max": size, "memory.swap.max": "0"}
    with _cgroup.group("memory", first, second) as group:
        join = (sys.executable, "-c", LIMITED, str(group / "cgroup.procs"))
        done = run(exe, tmp_path, "hungry.py", before=join)

    certainty, blocker, summary = done.finding
    named = KernelLog().why == ""
    assert (certainty, blocker, done.status) == ("proved" if named else "likely", "memory", -9)
    assert "killed by the kernel for want of memory" in summary
    assert "memory is limited to 200 MiB" in done.evidence


def test_a_memory_error_with_stderr_closed_is_told(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "starved.py")

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("proved", "memory", 1)
    assert "failed with MemoryError at starved.py:8, and its text went nowhere" in summary


@pytest.mark.parametrize("how", ["closed", "null", "missing"])
def test_an_error_whose_text_went_nowhere_is_told(exe: str, tmp_path: Path, how: str) -> None:
    done = run(exe, tmp_path, "unheard.py", how)

    certainty, _, summary = done.finding
    assert (certainty, done.status, done.report["verdict"]) == ("proved", 1, "failed")
    assert "failed with RuntimeError at unheard.py:18, and its text went nowhere" in summary
    assert done.is_said


@pytest.mark.parametrize("status", [0, 3])
def test_an_end_at_once_in_a_library_is_told(exe: str, tmp_path: Path, status: int) -> None:
    done = run(exe, tmp_path, "leaves.py", str(status))

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("likely", "os._exit", status)
    assert f"left with status {status} without Python's own end" in summary
    assert done.is_said


def test_an_exit_that_hides_an_error_is_told(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "hides_error.py")

    certainty, _, summary = done.finding
    assert (certainty, done.status) == ("likely", 0)
    assert "by sys.exit inside `except ImportError` at hides_error.py:8" in summary
    assert done.is_said


def test_an_exit_inside_an_import_is_told(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "imports_leaver.py")

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("likely", "hides_error", 0)
    assert "while it handled ModuleNotFoundError inside the import of hides_error" in summary


@pytest.mark.parametrize(("program", "status"), [("/bin/true", 0), ("/bin/false", 1)])
def test_what_exec_put_in_its_place_is_named_if_asked(
    exe: str, tmp_path: Path, program: str, status: int
) -> None:
    done = run(exe, tmp_path, "becomes.py", program)

    certainty, blocker, summary = done.finding
    assert (certainty, blocker, done.status) == ("possible", program, status)
    assert f"became {program} by exec" in summary
    assert not done.is_said


def test_a_write_that_nobody_reads_is_named(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "unread.py")

    certainty, blocker, _ = done.finding
    assert (certainty, blocker, done.status) == ("likely", "SIGPIPE", -13)


def test_a_failure_after_a_process_of_its_own_crashed_names_that(exe: str, tmp_path: Path) -> None:
    done = run(exe, tmp_path, "loses_worker.py")

    certainty, _, summary = done.finding
    assert (certainty, done.status) == ("likely", 1)
    assert "after its process" in summary
    assert "died of a fatal signal" in summary


@pytest.mark.parametrize(
    ("way", "status"),
    [("none", 0), ("code", 3), ("text", 1), ("error", 1), ("daemon", 0), ("told", 0)],
)
def test_an_ordinary_end_is_no_death(exe: str, tmp_path: Path, way: str, status: int) -> None:
    done = run(exe, tmp_path, "ordinary.py", way)

    assert (done.finding, done.status) == (("", "", ""), status)
    assert not done.is_said


@pytest.mark.parametrize("arguments", [("--help",), ("--no-such-option",)])
def test_what_argparse_ends_is_no_death(
    exe: str, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = run(exe, tmp_path, "ordinary.py", *arguments)

    assert done.finding == ("", "", "")
    assert not done.is_said
