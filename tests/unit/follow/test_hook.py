"""What is written into an interpreter, and how it is known again."""

import ast
import importlib.util
from types import ModuleType

import pytest

from hangbisect.follow import hook
from hangbisect.follow.hook import Scope, files, is_as_written, sealed, state_of

SCOPE = Scope(until=1796083200, patterns=("run.py", "it's * ünï"), root="/tmp")
SOURCE = hook.SOURCE.read_text("ascii")


def gate() -> ModuleType:
    """Load the module of the gate as it is, without a place to look at."""
    spec = importlib.util.spec_from_file_location("gate_under_test", hook.SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_names_another_file_is_written_after_it() -> None:
    assert list(files(SCOPE, (3, 8), SOURCE)) == [hook.MODULE, hook.PTH]
    assert list(files(SCOPE, (3, 15), SOURCE)) == [hook.MODULE, hook.START, hook.PTH]


def test_the_line_of_the_pth_is_one_that_site_runs() -> None:
    comment, line = files(SCOPE, (3, 11), SOURCE)[hook.PTH].decode().splitlines()

    assert comment.startswith("#")
    assert line.startswith("import ")
    ast.parse(line)


def test_the_module_knows_for_whom_and_until_when_it_was_armed() -> None:
    text = files(SCOPE, (3, 11), SOURCE)[hook.MODULE].decode("ascii")

    settings = next(node for node in ast.parse(text).body if isinstance(node, ast.Assign))

    assert ast.literal_eval(settings.value) == ("/tmp", SCOPE.patterns, SCOPE.until)


def test_a_file_is_as_written_until_a_byte_of_it_changes() -> None:
    data = sealed(b"some text\n")

    assert is_as_written(data)
    assert not is_as_written(data + b"#")
    assert not is_as_written(b"some text\n")


@pytest.mark.parametrize(
    ("found", "state"),
    [
        ({}, "gone"),
        ({hook.MODULE: sealed(b"a"), hook.PTH: sealed(b"b")}, "armed"),
        ({hook.MODULE: sealed(b"a")}, "incomplete"),
        ({hook.MODULE: sealed(b"a"), hook.PTH: b"b"}, "changed"),
    ],
)
def test_the_files_of_a_folder_have_a_state(found: dict[str, bytes], state: str) -> None:
    assert state_of(found) == state


@pytest.mark.parametrize(
    ("pattern", "is_held"),
    [
        ("run.py", True),
        ("python*job.json", True),
        ("run.py*python", False),
        ("*", True),
        ("train", False),
    ],
)
def test_a_pattern_is_a_text_of_the_command_line(pattern: str, is_held: bool) -> None:
    assert gate()._holds("/venv/bin/python run.py .job.json ", pattern) is is_held


def test_nothing_happens_below_a_run_of_hangbisect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANGBISECT_FOLDER", "/tmp/records")
    module = gate()
    monkeypatch.setattr(module, "_session", lambda: pytest.fail("it looked for a session"))

    assert module._enter() is None
