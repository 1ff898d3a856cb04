"""A file is one idea, a function a few lines: the hard stops of the style page."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES_A_FILE = 300
LINES_A_FUNCTION = 40


def files() -> list[Path]:
    """Return the package's files."""
    return sorted((ROOT / "hangbisect").rglob("*.py"))


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its decorators and docstring."""
    last = function.end_lineno or function.lineno
    lines = last - function.lineno + 1
    if ast.get_docstring(function) is not None:
        lines -= (function.body[0].end_lineno or 0) - function.body[0].lineno + 1
    return lines


def test_no_file_is_longer_than_the_hard_stop() -> None:
    sizes = {p: len(p.read_text(encoding="utf-8").splitlines()) for p in files()}

    long = {str(p.relative_to(ROOT)): size for p, size in sizes.items() if size > LINES_A_FILE}

    assert long == {}


def test_no_function_is_longer_than_the_hard_stop() -> None:
    long = {}
    for path in files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                long[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = length(node)

    assert {name: lines for name, lines in long.items() if lines > LINES_A_FUNCTION} == {}
