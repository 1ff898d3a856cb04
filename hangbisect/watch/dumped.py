"""The stack in a dump that faulthandler wrote at a fatal signal. Pure."""

import re
from collections.abc import Iterator, Sequence

from hangbisect.model import Frame, Local, Span

_CURRENT = "Current thread "
_FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)')
_ESCAPED = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")
_CUT = "..."
"""faulthandler ends a name so that is too long for it."""


def frames_of(dump: Sequence[str], imports: Sequence[Span]) -> tuple[Frame, ...]:
    """Read the stack of the thread that the signal hit, outermost first; () if there is none.

    Args:
        dump: The lines of the dump.
        imports: The imports in progress: the dump has no names of modules.
    """
    frames = list(_read(dump))[::-1]
    named = [_named(frame, frames[i - 1], imports) for i, frame in enumerate(frames) if i]
    return (*frames[:1], *named)


def _read(dump: Sequence[str]) -> Iterator[Frame]:
    begins = (i for i, line in enumerate(dump) if line.startswith(_CURRENT))
    for line in dump[next(begins, len(dump)) + 1 :]:
        match = _FRAME.fullmatch(line)
        if match is None:
            return
        file = _unescaped(match["file"])
        yield Frame(
            function=_unescaped(match["function"]),
            file="" if file.endswith(_CUT) else file,
            line=int(match["line"]),
        )


def _named(frame: Frame, caller: Frame, imports: Sequence[Span]) -> Frame:
    """Give the import machinery's frame the name that its caller asked for."""
    asked = [s.name for s in imports if (s.file, s.line) == (caller.file, caller.line)]
    if not asked or not frame.file.startswith("<frozen importlib"):
        return frame
    name = Local(name="name", type="str", text=asked[0])
    return Frame(function=frame.function, file=frame.file, line=frame.line, locals=(name,))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    code = int(next(filter(None, match.groups())), 16)
    return chr(code) if code <= 0x10FFFF else match.group()
