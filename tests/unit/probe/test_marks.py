"""Marks in a script's code: which statements have one, and that nothing else changes."""

import sys
import types

import pytest

from hangbisect.probe.marks import Marks, compile_marked
from hangbisect.probe.nodes import AT_END

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="3.12 on has LINE events")
SCRIPTS = {
    "statements": ("a = 1\n\nb = (\n  a)\n", [1, 4]),
    "a head": ('"""Doc."""\nfrom __future__ import annotations\na = 1\n', [3]),
    "branches": ("if 0:\n  a = 1\nelif 1:\n  b = 1\nelse:\n  c = 1\n", [1, 3, 4]),
    "a loop": ("for a in (1, 2):\n  b = a\nelse:\n  c = a\n", [1, 2, 2, 4]),
    "an error": ("try:\n  1 / 0\nexcept OSError: pass\nexcept:\n  a = 1\nfinally:\n  b = 1\n",
                 [1, 2, 5, 7]),
    "what has code of its own": ("@staticmethod\ndef f():\n  a = 1\nclass A:\n  b = 1\n", [1, 4]),
    "what runs first": ("a = [\n  len(\n    '')]\nwith (\n  memoryview(b'')): pass\n", [2, 5, 5]),
}  # fmt: skip


def run(source: str) -> tuple[list[int], dict[str, object], Marks]:
    """Run a script with marks as the interpreter does; give its numbers and its names."""
    numbers: list[int] = []
    marks, code = compile_marked(source.encode(), "run.py", numbers.append)
    names: dict[str, object] = {"__name__": "__main__"}
    types.FunctionType(code, names)("__main__", False)
    return numbers, names, marks


@pytest.mark.parametrize(("source", "lines"), SCRIPTS.values(), ids=SCRIPTS)
def test_each_statement_that_runs_is_marked_on_its_line(source: str, lines: list[int]) -> None:
    numbers, _, marks = run(source)

    assert [marks.lines[number] for number in numbers[:-1]] == lines
    assert numbers[-1] == AT_END


def test_the_arguments_of_the_script_are_forgotten() -> None:
    _, names, _ = run('"""Doc."""\nhere = sorted(locals())\n')

    assert names["here"] == ["__doc__", "__name__"]
    assert names["__doc__"] == "Doc."


def test_the_end_is_marked_after_an_error_too() -> None:
    numbers: list[int] = []
    _, code = compile_marked(b"a = 1\n1 / 0\nb = 1\n", "run.py", numbers.append)

    with pytest.raises(ZeroDivisionError) as caught:
        types.FunctionType(code, {})("__main__", False)

    assert numbers == [0, 1, AT_END]
    assert [entry.lineno for entry in caught.traceback][1:] == [1]  # counted from 0


def test_no_mark_is_called_once_they_are_cleared() -> None:
    numbers: list[int] = []
    marks, code = compile_marked(b"a = 1\nclear()\nb = 1\n", "run.py", numbers.append)

    types.FunctionType(code, {"clear": marks.left.clear_all})("__main__", False)

    assert numbers == [0, 1, AT_END]


def test_functions_keep_their_code() -> None:
    source = "def f(a):\n  for b in a:\n    yield b\nclass A:\n  c = [d for d in 'd']\n"
    _, code = compile_marked(source.encode(), "run.py", lambda number: None)

    bare = compile(source, "run.py", "exec")

    inner = [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]
    assert inner == [
        constant for constant in bare.co_consts if isinstance(constant, types.CodeType)
    ]
    assert (code.co_name, code.co_firstlineno) == (bare.co_name, bare.co_firstlineno)
    assert hash(code)


@pytest.mark.parametrize("source", ["", "'doc'", "return 1", "x = ", "continue", "a\0b"])
def test_what_cannot_be_marked_is_refused(source: str) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        compile_marked(source.encode(), "run.py", lambda number: None)


def test_the_compiler_warns_as_ever() -> None:
    with pytest.warns(SyntaxWarning, match="literal") as warned:
        compile_marked(b"x = 1\ny = x is 1\n", "run.py", lambda number: None)

    assert [(one.filename, one.lineno) for one in warned] == [("run.py", 2)]
