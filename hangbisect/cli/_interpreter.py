"""Which Python runs the target, and why: decided from facts that the caller gathered."""

import shlex
from typing import Literal

from hangbisect.errors import UsageError
from hangbisect.model._struct import Data

OLDEST = (3, 8)


class Places(Data, frozen=True, kw_only=True):
    """Where Pythons are: prefixes are folders of environments, executables files, "" is none."""

    own: str
    """Our own executable."""
    own_prefix: str
    own_is_shared: bool
    """Our environment holds more than hangbisect and what it needs: somebody works in it."""
    beside: tuple[str, ...] = ()
    """Prefixes of environments beside the target, best first."""
    activated: tuple[str, ...] = ()
    """Prefixes of $VIRTUAL_ENV and $CONDA_PREFIX."""
    executables: dict[str, str] = {}  # noqa: RUF012
    """The executable of each prefix that has one."""
    on_path: str = ""


class Choice(Data, frozen=True, kw_only=True):
    """A Python with its options, and why it was chosen."""

    argv: tuple[str, ...]
    reason: str


def choose(option: str | None, places: Places) -> Choice:
    """Choose what was asked for, our own if the target lives there too, else what is nearest."""
    if option is not None:
        return _asked_for(option)
    own, beside, activated = places.own_prefix, places.beside, places.activated
    if own in activated:
        return Choice(argv=(places.own,), reason="hangbisect lives in the activated environment")
    if own in beside:
        return Choice(
            argv=(places.own,), reason="hangbisect lives in the environment beside the script"
        )
    for prefix, words in (
        *_each(beside, "beside the script"),
        *_each(activated, "that is activated"),
    ):
        if executable := places.executables.get(prefix):
            return Choice(argv=(executable,), reason=f"the environment {words}")
    if places.own_is_shared:
        return Choice(argv=(places.own,), reason="the environment that hangbisect is installed in")
    if places.on_path:
        return Choice(argv=(places.on_path,), reason="python on PATH")
    return Choice(argv=(places.own,), reason="hangbisect's own, for want of another")


def _asked_for(option: str) -> Choice:
    try:
        argv = tuple(shlex.split(option))
    except ValueError as error:
        raise UsageError(f"--python {option!r} cannot be read: {error}") from error
    if not argv:
        raise UsageError("--python needs an interpreter")
    return Choice(argv=argv, reason="--python")


def _each(
    prefixes: tuple[str, ...], words: Literal["beside the script", "that is activated"]
) -> tuple[tuple[str, str], ...]:
    return tuple((prefix, words) for prefix in prefixes)


def check_version(executable: str, answer: str) -> None:
    """Raise `UsageError` unless the answer ("3.11") is that of a Python that can be followed."""
    advice = "Name a Python of version 3.8 or newer with --python."
    try:
        major, minor = (int(part) for part in answer.split(".", 1))
    except ValueError:
        raise UsageError(f"{executable} is not a Python interpreter", help=advice) from None
    if (major, minor) < OLDEST:
        raise UsageError(f"{executable} is Python {major}.{minor}, which is too old", help=advice)
