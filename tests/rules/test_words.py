"""The project says nothing of the machine it was written on, nor of programs it is measured on."""

import re
from pathlib import Path

import pytest

from tests.rules._tracked import ROOT, texts

COLLECTION = ROOT.parent / "shared" / "zoo"
HOMES = "|".join(re.escape(home) for home in sorted({"/root", str(Path.home())}))
HOME = re.compile(rf"(?<![\w.~$}}])(?:{HOMES})/\w+")
"""A path below the home of root, or of who runs the tests; examples use invented people."""


def test_no_file_names_the_home_folder_of_a_machine() -> None:
    found = {name: HOME.findall(text) for name, text in texts().items()}

    assert {name: hits for name, hits in found.items() if hits} == {}


def test_no_file_names_the_folder_that_the_project_lies_in() -> None:
    names = [name for name, text in texts().items() if f"{ROOT}/" in text]

    assert names == []


def test_no_program_that_we_are_measured_on_is_named() -> None:
    if not COLLECTION.is_dir():
        pytest.skip("the collection of stuck programs is not beside the project")
    cases = [p.name for p in sorted(COLLECTION.iterdir()) if is_case(p)]

    named = {name: [c for c in cases if c in text] for name, text in texts().items()}

    assert {name: hits for name, hits in named.items() if hits} == {}


def is_case(path: Path) -> bool:
    """Tell whether a folder of the collection is one of its programs."""
    return path.is_dir() and not path.name.startswith(("_", "."))
