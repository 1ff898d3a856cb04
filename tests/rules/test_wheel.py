"""What people install works, and holds what runs inside their program."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with what is installed: nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--disable-pip-version-check", "-w", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=55)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel, as an installer does with a pure one."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def hangbisect(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command from the unpacked wheel, not from the working tree."""
    return subprocess.run(
        [sys.executable, "-m", "hangbisect", *arguments],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=50,
    )


def test_the_wheel_holds_the_package_its_types_and_its_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    assert "hangbisect/probe/inject/sitecustomize.py" in names
    assert "hangbisect/probe/gate/_hangbisect_gate.py" in names
    assert "hangbisect/probe/milestones.txt" in names
    assert "hangbisect/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_wheel_holds_nothing_but_the_package(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"hangbisect"}


def test_a_program_runs_under_the_installed_command(installed: Path) -> None:
    script = installed / "hello.py"
    script.write_text("import sys\nprint('hello', *sys.argv[1:])\nsys.exit(3)\n", encoding="utf-8")

    ran = hangbisect(installed, "run", "hello.py", "--mark")

    assert ran.stdout == "hello --mark\n", ran.stderr
    assert ran.returncode == 3
