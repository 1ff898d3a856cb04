"""The nodes that marks are made of, as `compile` takes them. Each stands where another stands."""

import _ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

AT_END = -1
"""What a mark is called with when the script is over, however it ended."""
LEFT, MARK, FIRST = (0x68616E67626973656374 << 8 | number for number in range(3))
"""Stand for our objects while the script is compiled: `compile` takes plain constants only."""
_LOAD = _ast.Load()


def mark(place: "Any", number: int) -> "Any":
    """Give a mark as a statement: where something is `left` of the number, call `mark`."""
    body = [_statement(place, _call(place, number))]
    return _node(place, "If", test=_item(place, LEFT, number), body=body, orelse=[])


def first(place: "Any") -> "Any":
    """Give what is replaced by the code that forgets the arguments."""
    return _statement(place, _item(place, FIRST, 0))


def guarded(body: "list[Any]", place: "Any", line: int) -> "Any":
    """Give `try: body; finally: mark(AT_END)`, the end on the script's last line."""
    last = _ast.Pass(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
    end = _statement(last, _call(last, AT_END))
    return _node(place, "Try", body=body, handlers=[], orelse=[], finalbody=[end])


def _call(place: "Any", number: int) -> "Any":
    function, argument = _constant(place, MARK), _constant(place, number)
    return _node(place, "Call", func=function, args=[argument], keywords=[])


def _item(place: "Any", of: int, number: int) -> "Any":
    index: "Any" = _constant(place, number)
    if hasattr(_ast, "Index"):  # up to 3.8
        index = _ast.Index(value=index)
    return _node(place, "Subscript", value=_constant(place, of), slice=index, ctx=_LOAD)


def _constant(place: "Any", value: int) -> "Any":
    return _node(place, "Constant", value=value)


def _statement(place: "Any", value: "Any") -> "Any":
    return _node(place, "Expr", value=value)


def _node(place: "Any", kind: str, **fields: object) -> "Any":
    node = getattr(_ast, kind)(**fields)
    for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
        setattr(node, name, getattr(place, name))
    return node
