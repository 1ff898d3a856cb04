"""The step in progress is right wherever a program is stuck, on old and new Pythons."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.process._stuck import PROGRAMS, pythons

COMPILER = shutil.which(os.environ.get("CC", "cc"))
TRIED = ("3.8", "3.11", "3.13", "this")
PYTHONS = {version: path for version, path in pythons().items() if version in TRIED}
LIMIT = 50
pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")
needs_compiler = pytest.mark.skipif(
    COMPILER is None, reason="no C compiler (cc, or the one that CC names)"
)


def watch(script: Path, python: str, *arguments: str, **variables: str) -> dict[str, Any]:
    """Run a stuck script under hangbisect until patience is at an end, and return the report."""
    report = script.with_name(f"{abs(hash(python))}.json")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "hangbisect", "run", "--python", python, "--patience", "2"),
            *("--on-hang", "end", "--format", "json", "-o", str(report), "--"),
            *(str(script), *arguments),
        ],
        cwd=script.parent,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**os.environ, **variables},
    )
    assert report.exists(), done.stderr
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def step_of(report: dict[str, Any]) -> tuple[str, str, str, int]:
    """Return kind, name, bare file name and line of the step."""
    return place(report["step"])


def place(step: dict[str, Any]) -> tuple[str, str, str, int]:
    """Return the same of any step of a chain."""
    return step["kind"], step["name"], os.path.basename(step["file"]), step["line"]


def steps(folder: Path, text: str, *arguments: str) -> Mapping[str, object]:
    """Run the text as a script on each Python at the same time, and return the steps."""
    script = folder / "run.py"
    script.write_text(text)
    with ThreadPoolExecutor() as pool:
        reports = pool.map(lambda python: watch(script, python, *arguments), PYTHONS.values())
    return dict(zip(PYTHONS, map(step_of, reports), strict=True))


def build(folder: Path, *options: str) -> str:
    """Compile the library that blocks, under the name that makes it a module too."""
    library = str(folder / "blocks.so")
    command = [str(COMPILER), "-shared", "-fPIC", "-o", library, *options]
    subprocess.run([*command, str(PROGRAMS / "blocks.c")], check=True, timeout=30)
    return library


@needs_compiler
def test_when_native_code_holds_the_gil(tmp_path: Path) -> None:
    library = build(tmp_path)
    text = (
        "import ctypes, sys, threading\n"
        "library = ctypes.PyDLL(sys.argv[1])\n"
        "threading.Thread(target=threading.Event().wait, args=(0.5,)).start()\n"
        "library.block()\n"
    )

    found = steps(tmp_path, text, library)

    assert found == dict.fromkeys(PYTHONS, ("statement", "library.block()", "run.py", 4))


@needs_compiler
@pytest.mark.parametrize("options", [(), ('-DIN_CONSTRUCTOR=""',)], ids=["PyInit", "constructor"])
def test_when_an_extension_module_never_comes_up(options: tuple[str, ...], tmp_path: Path) -> None:
    build(tmp_path, *options)

    found = steps(tmp_path, "import json\nimport blocks\n")

    assert found == dict.fromkeys(PYTHONS, ("import", "blocks", "run.py", 2))


@needs_compiler
def test_in_state_d(tmp_path: Path) -> None:
    library = build(tmp_path)
    text = "import ctypes, sys\nlibrary = ctypes.CDLL(sys.argv[1])\n\nlibrary.block_in_vfork()\n"

    found = steps(tmp_path, text, library)

    assert found == dict.fromkeys(PYTHONS, ("statement", "library.block_in_vfork()", "run.py", 4))


def test_when_stopped(tmp_path: Path) -> None:
    text = "import os, signal\n\nos.kill(os.getpid(), signal.SIGSTOP)\n"

    found = steps(tmp_path, text)

    wanted = ("statement", "os.kill(os.getpid(), signal.SIGSTOP)", "run.py", 3)
    assert found == dict.fromkeys(PYTHONS, wanted)


def test_with_all_signals_blocked(tmp_path: Path) -> None:
    text = (
        "import signal, threading\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))\n"
        "threading.Event().wait()\n"
    )

    found = steps(tmp_path, text)

    assert found == dict.fromkeys(PYTHONS, ("statement", "threading.Event().wait()", "run.py", 3))


@pytest.mark.parametrize("first", [3, 0])
def test_when_the_target_has_closed_all_descriptors(first: int, tmp_path: Path) -> None:
    text = f"import os, queue\nos.closerange({first}, 4096)\nqueue.Queue().get()\n"

    found = steps(tmp_path, text)

    assert found == dict.fromkeys(PYTHONS, ("statement", "queue.Queue().get()", "run.py", 3))


@pytest.mark.parametrize("option", ["-I", "-E", "-S"])
def test_when_an_option_keeps_the_probe_out(option: str, tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text("import queue\nqueue.Queue().get()\n")

    report = watch(script, f"{sys.executable} {option}")

    assert step_of(report) == ("statement", "queue.Queue().get()", "run.py", 2)
    assert [gap["why"][:2] for gap in report["gaps"] if "imports" in gap["what"]] == [option]


@needs_compiler
def test_before_python_reaches_site(tmp_path: Path) -> None:
    library = build(tmp_path, '-DIN_CONSTRUCTOR="HANGBISECT_FOLDER"')
    script = tmp_path / "run.py"
    script.write_text("pass\n")

    report = watch(script, sys.executable, LD_PRELOAD=library)

    assert step_of(report) == ("before-python", "", "", 0)


def in_venv(home: Path, python: str, line: str) -> dict[str, Any]:
    """Watch an empty script in an environment of its own, where another package has a .pth."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(home)], check=True, timeout=40)
    (packages,) = home.glob("lib/python*/site-packages")
    (packages / "other.pth").write_text(f"# hook of another package\n\n{line}\n")
    (packages / "stuck_hook.py").write_text("import threading\nthreading.Event().wait()\n")
    script = home / "run.py"
    script.write_text("pass\n")
    return watch(script, str(home / "bin" / "python"))


def in_venvs(folder: Path, line: str) -> dict[str, dict[str, Any]]:
    """Do so on each Python at the same time."""
    with ThreadPoolExecutor() as pool:
        reports = pool.map(
            lambda version: in_venv(folder / version, PYTHONS[version], line), PYTHONS
        )
        return dict(zip(PYTHONS, reports, strict=True))


def test_on_a_line_of_a_pth_file_of_another_package(tmp_path: Path) -> None:
    line = "import threading; threading.Event().wait()"

    reports = in_venvs(tmp_path, line)

    wanted = ("statement", line, "other.pth", 3)
    assert {name: step_of(each) for name, each in reports.items()} == dict.fromkeys(PYTHONS, wanted)


def test_in_a_module_that_the_pth_file_of_another_package_imports(tmp_path: Path) -> None:
    reports = in_venvs(tmp_path, "import stuck_hook")

    wanted = (
        ("import", "stuck_hook", "other.pth", 3),
        ("statement", "threading.Event().wait()", "stuck_hook.py", 2),
    )
    found = {name: tuple(map(place, each["step"]["chain"])) for name, each in reports.items()}
    assert found == dict.fromkeys(PYTHONS, wanted)
