"""The statement at which the entry script was left, from its source. Pure."""

import ast
from collections.abc import Iterator, Sequence

from hangbisect.model import Leaving

_LONGEST = 4 << 20
_TEXT = 160
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_EXITS = ("exit", "quit", "sys.exit", "_exit", "os._exit", "SystemExit")


def leaving(source: str, file: str, line: int) -> Leaving | None:
    """Say what stands at a line of a script, and around and after it; None if it cannot be read."""
    if len(source) > _LONGEST:
        return None
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    path = tuple(_path(module.body, line))
    if not path:
        return None
    statement = path[-1][0]
    handlers = [handler for _, _, handler in path if handler is not None]
    handler = handlers[-1] if handlers else None
    return Leaving(
        file=file,
        line=line,
        text=" ".join(source.splitlines()[statement.lineno - 1].split())[:_TEXT],
        is_exit=_is_exit(statement),
        handles=_handled(handler),
        is_mute=handler is not None and _is_mute(handler, line),
        rest=sum(len(rest) for _, rest, _ in path),
        names_exit=any(_name(node) in ("_exit", "os._exit") for node in ast.walk(module)),
    )


Place = tuple[ast.stmt, Sequence[ast.stmt], ast.ExceptHandler | None]
"""A statement, what follows it in its block, and the handler whose block that is."""


def _path(
    block: Sequence[ast.stmt], line: int, handler: ast.ExceptHandler | None = None
) -> Iterator[Place]:
    """Yield the statements around a line, outermost first, without going into definitions."""
    for number, statement in enumerate(block):
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            yield statement, block[number + 1 :], handler
            if not isinstance(statement, _DEFINITIONS):
                for inner, around in _blocks(statement):
                    yield from _path(inner, line, around)
            return


def _blocks(
    statement: ast.stmt,
) -> Iterator[tuple[Sequence[ast.stmt], ast.ExceptHandler | None]]:
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, ()), None
    for handler in getattr(statement, "handlers", ()):
        yield handler.body, handler
    for case in getattr(statement, "cases", ()):
        yield case.body, None


def _handled(handler: ast.ExceptHandler | None) -> str:
    if handler is None:
        return ""
    return "everything" if handler.type is None else ast.unparse(handler.type)


def _is_mute(handler: ast.ExceptHandler, line: int) -> bool:
    """Tell whether a handler only leaves: nothing that could have said a word comes before."""
    before = [statement for statement in handler.body if statement.lineno < line]
    last = [statement for statement in handler.body if statement.lineno == line]
    return all(isinstance(s, ast.Pass) for s in before) and len(last) == 1 and _is_exit(last[0])


def _is_exit(statement: ast.stmt) -> bool:
    """Tell whether it is `exit` with a plain status or none: a text would have been printed."""
    match statement:
        case ast.Expr(value=ast.Call(func=called, args=arguments, keywords=[])):
            return _name(called) in _EXITS and _says_nothing(arguments)
        case ast.Raise(exc=ast.Call(func=called, args=arguments, keywords=[])):
            return _name(called) == "SystemExit" and _says_nothing(arguments)
        case ast.Raise(exc=ast.expr() as raised):
            return _name(raised) == "SystemExit"
    return False


def _says_nothing(arguments: Sequence[ast.expr]) -> bool:
    match arguments:
        case []:
            return True
        case [ast.Constant(value=int() | None)]:
            return True
    return False


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return f"{module}.{name}"
        case ast.alias(name=name):
            return name
    return ""
