"""Compiles a script with a mark before each statement of its own, for `--statements exact`.

A mark is `if left[i]: mark(i)`, of constants: no name is added, and where `left[i]` is 0 nothing is
called. Marks stand on lines that run anyway, so that a debugger stops where it would without them.
"""

import _warnings
import sys

from . import nodes
from .forgetful import without_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType
    from typing import Any

_ONLY_AST = 0x400  # ast.PyCF_ONLY_AST
_OFTEN = 100
"""A statement that ran so often is in a loop: its mark is not called any more."""
_OWN_CODE = ("FunctionDef", "AsyncFunctionDef", "ClassDef")
_BEGINNINGS = {
    "AnnAssign": "value", "Assert": "test", "Assign": "value", "AsyncFunctionDef": "decorator_list",
    "Attribute": "value", "AugAssign": "target", "BinOp": "left", "BoolOp": "values",
    "Call": "func", "ClassDef": "decorator_list", "Compare": "left", "Expr": "value", "For": "iter",
    "FunctionDef": "decorator_list", "If": "test", "IfExp": "test", "List": "elts",
    "Match": "subject", "NamedExpr": "value", "Raise": "exc", "Set": "elts", "Starred": "value",
    "Subscript": "value", "Tuple": "elts", "UnaryOp": "operand", "While": "test", "With": "items",
    "withitem": "context_expr",
}  # fmt: skip
"""The part that runs first."""


class Left(bytearray):
    """For each statement how often its mark is still called."""

    __hash__ = object.__hash__  # type: ignore[assignment]  # a code object hashes its constants

    def clear_all(self) -> None:
        """Let no mark be called any more."""
        self[:] = bytes(len(self))


class Marks:
    """The statements of a script that have marks, in the order of the file."""

    def __init__(self, tree: "Any") -> None:
        """Put marks into a module's tree.

        Raises:
            ValueError: there is no statement to mark.
        """
        self.lines: "list[int]" = []
        head = 0
        while head < len(tree.body) and _is_head(tree.body[head], head):
            head += 1
        if head == len(tree.body):
            raise ValueError("it has no statements")
        begin = _beginning(tree.body[head])
        body = self._marked(tree.body[head:])
        self.left = Left(bytes((_OFTEN,)) * len(self.lines))
        tree.body[head:] = [nodes.first(begin), nodes.guarded(body, begin, max(self.lines))]

    def _marked(self, body: "list[Any]") -> "list[Any]":
        marked = []
        for statement in body:
            begin = _beginning(statement)
            marked += [nodes.mark(begin, len(self.lines)), statement]
            self.lines.append(begin.lineno)
            if type(statement).__name__ not in _OWN_CODE:
                for holder, name in _bodies(statement):
                    setattr(holder, name, self._marked(getattr(holder, name)))
        return marked


def compile_marked(
    source: bytes, file: str, mark: "Callable[[int], None]"
) -> "tuple[Marks, CodeType]":
    """Give a script's marks and its code with them; `mark` is called with numbers of statements.

    The code is for a function of two arguments, which it ignores. Warnings of the compiler come as
    they would without marks, and only if all else has gone well.

    Raises:
        SyntaxError, ValueError and others: it cannot be run, or not with marks.
    """
    tree = _silently(source, file, _ONLY_AST)
    marks = Marks(tree)
    code: "CodeType" = without_arguments(_silently(tree, file, 0), nodes.FIRST)
    ours = {nodes.LEFT: marks.left, nodes.MARK: mark}
    if not all(one in code.co_consts for one in ours):
        raise ValueError("it was compiled in an unknown way")
    constants = tuple(ours.get(c, c) if type(c) is int else c for c in code.co_consts)
    compile(source, file, "exec", 0, dont_inherit=True)
    return marks, code.replace(co_consts=constants)


def _silently(source: "Any", file: str, flags: int) -> "Any":
    filters: "Any" = getattr(sys.modules.get("warnings"), "filters", _warnings.filters)
    filters.insert(0, ("ignore", None, Warning, None, 0))
    _warnings._filters_mutated()  # type: ignore[attr-defined]
    try:
        return compile(source, file, "exec", flags, dont_inherit=True)
    finally:
        del filters[0]
        _warnings._filters_mutated()  # type: ignore[attr-defined]


def _is_head(node: "Any", at: int) -> bool:
    """Tell whether a statement has to stay first: the docstring or a `__future__` import."""
    if type(node).__name__ == "ImportFrom":
        return bool(node.module == "__future__" and node.level == 0)
    value = getattr(node, "value", None)
    return at == 0 and type(node).__name__ == "Expr" and isinstance(getattr(value, "value", 0), str)


def _bodies(statement: "Any") -> "Iterator[tuple[Any, str]]":
    for name in ("body", "orelse", "finalbody"):
        if getattr(statement, name, None):
            yield statement, name
    for part in [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]:
        yield part, "body"


def _beginning(node: "Any") -> "Any":
    """Give the expression that runs first: its line is the one that Python reaches first."""
    while True:
        part = getattr(node, _BEGINNINGS.get(type(node).__name__, ""), None)
        part = part[0] if isinstance(part, list) and part else part
        if part is None or isinstance(part, list):
            return node
        node = part
