"""The qualified name of a function, found in its source by a line of it. Pure."""

import ast
import warnings
from collections.abc import Iterator
from functools import lru_cache

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def scope_at(source: str, line: int, function: str) -> str:
    """Return the qualified name of the function that holds a line; "" if that is not `function`.

    "" also for a source that cannot be parsed: it may be of a newer Python than ours.
    """
    tree = _parsed(source)
    chain = tuple(_around(tree, line)) if tree else ()
    if not chain or chain[-1].name != function or isinstance(chain[-1], ast.ClassDef):
        return ""
    parts = [
        node.name + ("" if isinstance(node, ast.ClassDef) or node is chain[-1] else ".<locals>")
        for node in chain
    ]
    return ".".join(parts)


@lru_cache(maxsize=2)
def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _around(
    node: ast.AST, line: int
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Yield the functions and classes around a line, outermost first."""
    for child in ast.iter_child_nodes(node):
        begin, end = getattr(child, "lineno", None), getattr(child, "end_lineno", None)
        if begin is not None and end is not None and not begin <= line <= end:
            continue
        if isinstance(child, _SCOPES):
            yield child
        yield from _around(child, line)
