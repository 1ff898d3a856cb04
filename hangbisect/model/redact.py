"""The one door where text is redacted, before it reaches a disk or a screen.

Variables are kept by allow-list only. Everywhere else secrets are found by the names they are
given (`--token X`, `password=X`, `Authorization: X`, userinfo and query of a URL) and by the
published forms of tokens. Redacting twice changes nothing more.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

from hangbisect.model._environment import is_allowed
from hangbisect.model._secrets import (
    HEADED,
    KEY_LIKE,
    MASK,
    NAME,
    PLAIN,
    SHORT_NAME,
    TOKENS,
)
from hangbisect.model._struct import Data
from hangbisect.model._walk import rebuild

__all__ = ["MASK", "redact", "redact_argv", "redact_text"]

T = TypeVar("T")
_ROUNDS = 8  # a mask may reveal one more secret; a few rounds reach the end


def redact(document: T) -> T:
    """Return the document with its secrets masked and its environment cut to the allow-list."""
    return rebuild(document, _redact_part)


@lru_cache(maxsize=4096)
def redact_text(text: str) -> str:
    """Return the text with its secrets masked; ordinary paths, hashes and numbers stay."""
    for _ in range(_ROUNDS):
        before, text = text, _redact_once(text)
        if text == before:
            break
    return text


def redact_argv(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command line with its secrets masked, also those that are arguments of their own."""
    return tuple(_redact_arguments(argv))


def _redact_part(part: object) -> object | None:
    """Redact strings, command lines and what has a telling name; None for what has parts."""
    match part:
        case str():
            return redact_text(part)
        case tuple() if part and all(isinstance(item, str) for item in part):
            return redact_argv(part)
        case Mapping():
            return {redact_text(str(key)): _redact_named(str(key), part[key]) for key in part}
        case Data() if "environment" in part.__struct_fields__:
            return _redact_environment(part)
        case _:
            return None


def _redact_environment(document: Data) -> Data:
    pairs: tuple[tuple[str, str], ...] = getattr(document, "environment")  # noqa: B009
    kept = tuple((name, redact_text(value)) for name, value in pairs if is_allowed(name))
    fields = {name: getattr(document, name) for name in document.__struct_fields__}
    rest = {name: redact(value) for name, value in fields.items() if name != "environment"}
    return type(document)(**rest, environment=kept)


def _redact_named(name: str, value: object) -> object:
    return MASK if isinstance(value, str) and value and _is_telling(name) else redact(value)


def _redact_arguments(argv: tuple[str, ...]) -> Iterator[str]:
    hide_next = after_login = False
    for argument in argv:
        is_value = hide_next and argument != "" and not argument.startswith("-")
        is_key = after_login and KEY_LIKE.fullmatch(argument) is not None
        yield MASK if is_value or is_key else _redact_argument(argument)
        hide_next = argument.startswith("-") and _is_telling(argument)
        after_login = argument == "login" or (after_login and argument.startswith("-"))


def _redact_argument(argument: str) -> str:
    name, equals, value = argument.partition("=")
    if equals and value and PLAIN.fullmatch(name) and _is_telling(name):
        return f"{name}={MASK}"
    return redact_text(argument)


def _is_telling(name: str) -> bool:
    return NAME.search(name) is not None or SHORT_NAME.search(name) is not None


def _redact_once(text: str) -> str:
    for pattern in HEADED:
        text = pattern.sub(_mask_value, text)
    return TOKENS.sub(MASK, text)


def _mask_value(match: re.Match[str]) -> str:
    groups = match.groupdict()
    value = groups.get("value") or groups.get("bare") or ""
    start = match.start("value") if groups.get("value") else match.start("bare")
    whole, offset = match.group(), start - match.start()
    return whole[:offset] + MASK + whole[offset + len(value) :]
