"""One line that stands for a whole Python stack with its locals, whose text itself goes nowhere."""

from collections.abc import Iterable, Mapping
from hashlib import blake2b

from hangbisect.host._protocol import Question

_SIZE = 16

Shown = tuple[str, str, int, Mapping[str, str]]
"""Of a frame: its function, file and line, and the text of each variable's value."""


def key_of(question: Question) -> bytes:
    """Make the key of a run: all its helpers have the same, and no other run does."""
    return blake2b(f"{question.root} {question.began!r}".encode(), digest_size=32).digest()


def digest(frames: Iterable[Shown], key: bytes) -> str | None:
    """Digest a stack; None if it has no frames."""
    shown = [
        (function, file, line, sorted(variables.items()))
        for function, file, line, variables in frames
    ]
    if not shown:
        return None
    return blake2b(ascii(shown).encode(), key=key, digest_size=_SIZE).hexdigest()
