"""Every Python that the probe must work in: one test run for each that is found."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
ASK = "import sys; print('%d.%d' % sys.version_info[:2])"


def find_pythons() -> dict[str, str]:
    """Find one interpreter a version: $HANGBISECT_PYTHONS, pyenv's folder, PATH, and this one."""
    found = {}
    given = [path for path in os.environ.get("HANGBISECT_PYTHONS", "").split(os.pathsep) if path]
    for path in given:
        asked = subprocess.run(
            [path, "-I", "-c", ASK], capture_output=True, text=True, timeout=20, check=False
        )
        found.setdefault(asked.stdout.strip(), path)
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        known = [p for p in sorted(pyenv.glob(f"{version}.*/bin/python")) if _is_release(p)]
        on_path = shutil.which(f"python{version}")
        for path in (*map(str, reversed(known)), *filter(None, [on_path])):
            found.setdefault(version, path)
    found.setdefault(".".join(map(str, sys.version_info[:2])), sys.executable)
    return {version: path for version, path in found.items() if version in VERSIONS}


def _is_release(path: Path) -> bool:
    return re.fullmatch(r"[0-9.]+", path.parent.parent.name) is not None


PYTHONS = find_pythons()


@pytest.fixture(params=VERSIONS)
def python(request: pytest.FixtureRequest) -> str:
    """Give an interpreter of each version; what is missing is skipped, or fails if required."""
    version = str(request.param)
    if version not in PYTHONS:
        if os.environ.get("HANGBISECT_REQUIRE_PYTHONS") == "1":
            pytest.fail(f"CPython {version} is required and was not found")
        pytest.skip(f"no CPython {version} (see HANGBISECT_PYTHONS)")
    return PYTHONS[version]
