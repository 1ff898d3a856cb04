"""The step is right where files, folders and functions have names beyond ASCII."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.process._stuck import pythons

TRIED = ("3.8", "3.11", "3.13", "this")
PYTHONS = {version: path for version, path in pythons().items() if version in TRIED}
LIMIT = 50
TEXT = "import threading\n\n\ndef größe():\n    threading.Event().wait()\n\n\ngröße()\n"
LOCALES = {"UTF-8": {"LC_ALL": "C.UTF-8"}, "C": {"LC_ALL": "C"}}
Place = tuple[str, str, int]
pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs Linux")


def steps(
    folder: Path, target: tuple[str, ...], locale: dict[str, str]
) -> dict[str, tuple[Place, ...]]:
    """Watch the target on each Python at the same time, and return the chains of steps."""
    with ThreadPoolExecutor(2) as pool:
        chains = pool.map(lambda version: chain(folder, version, target, locale), PYTHONS)
        return dict(zip(PYTHONS, chains, strict=True))


def chain(
    folder: Path, version: str, target: tuple[str, ...], locale: dict[str, str]
) -> tuple[Place, ...]:
    report = folder / f"{version}.json"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "hangbisect", "run", "--python", PYTHONS[version]),
            *("--patience", "2", "--on-hang", "end", "--format", "json", "-o", str(report)),
            *target,
        ],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT,
        env={**os.environ, **locale},
    )
    assert report.exists(), done.stderr
    found = json.loads(report.read_text("utf-8"))["step"]["chain"]
    return tuple((step["name"], step["file"], step["line"]) for step in found)


@pytest.mark.parametrize("locale", LOCALES.values(), ids=LOCALES)
@pytest.mark.parametrize("name", ["ü", "日本"])
def test_of_a_script(name: str, locale: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / f"{name}.py"
    script.write_text(TEXT, "utf-8")

    found = steps(tmp_path, (script.name,), locale)

    wanted = (("größe()", str(script), 8), ("threading.Event().wait()", str(script), 5))
    assert found == dict.fromkeys(PYTHONS, wanted)


def test_of_a_module_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "josé 日本"
    folder.mkdir()
    module = folder / "größe.py"
    module.write_text(TEXT, "utf-8")

    found = steps(folder, ("-m", "größe"), LOCALES["C"])

    wanted = (("größe()", str(module), 8), ("threading.Event().wait()", str(module), 5))
    assert found == dict.fromkeys(PYTHONS, wanted)


def test_of_an_import_below_a_plain_script(tmp_path: Path) -> None:
    module, script = tmp_path / "m日本.py", tmp_path / "run.py"
    module.write_text(TEXT, "utf-8")
    script.write_text("import m日本\n", "utf-8")

    found = steps(tmp_path, (script.name,), LOCALES["UTF-8"])

    wanted = (
        ("m日本", str(script), 1),
        ("größe()", str(module), 8),
        ("threading.Event().wait()", str(module), 5),
    )
    assert found == dict.fromkeys(PYTHONS, wanted)
