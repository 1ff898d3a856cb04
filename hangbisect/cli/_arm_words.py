"""What `arm`, `arm --list` and `disarm` say."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from hangbisect.follow.armed import Listed
from hangbisect.follow.arming import Disarmed
from hangbisect.follow.hook import Scope
from hangbisect.follow.interpreter import Interpreter


def announcement(
    python: Interpreter, site: str, written: Sequence[str], scope: Scope, now: datetime
) -> str:
    """Say what was done, what it means, what it costs, and how to undo it."""
    return "\n".join([*_announced(python, site, written, scope, now), ""])


def table(listed: Sequence[Listed], now: datetime) -> str:
    """Say what is armed, where, for what, and until when."""
    if not listed:
        return "Nothing is armed.\n"
    return "".join(f"{line}\n" for item in listed for line in _row(item, now))


def farewell(done: Sequence[tuple[str, Sequence[Disarmed]]]) -> str:
    """Say what was removed, and what was left because somebody changed it."""
    if not done:
        return "Nothing is armed.\n"
    return "".join(f"{line}\n" for name, folders in done for line in _removed(name, folders))


def _announced(
    python: Interpreter, site: str, written: Sequence[str], scope: Scope, now: datetime
) -> Iterator[str]:
    version = f"Python {python.version[0]}.{python.version[1]}"
    if written:
        yield f"Armed {python.executable} ({version}). Written:"
        yield from (f"  {path}" for path in written)
        yield "and the module's compiled form in __pycache__."
    else:
        yield f"{python.executable} ({version}) is armed just so already, in {site}."
    yield f"Until {_time(scope.until, now)} it heeds a watch of the user who runs it{_for(scope)}."
    yield "Without an open watch it does nothing; that costs each start some 0.3 ms."
    if python.user_site == site:
        yield "It is your own packages folder: not for other users, -I or -s, nor environments."
    else:
        yield "It is for every program that this Python runs, also with -I and -E, but not with -S."
    yield f"To remove it: hangbisect disarm {python.executable}"


def _row(item: Listed, now: datetime) -> Iterator[str]:
    scope, expired = item.armed.scope, item.armed.scope.until <= now.timestamp()
    state = "expired" if expired and item.state == "armed" else item.state
    yield f"{item.armed.python}: {state}, until {_time(scope.until, now)}{_for(scope)}"
    yield f"  in {item.armed.site}"
    if state != "armed":
        yield f"  {_ADVICE[state]}: hangbisect disarm {item.armed.python}"


_ADVICE = {
    "expired": "It heeds no watch any more. To remove its files",
    "incomplete": "Not all of its files are there, so it heeds no watch. To remove the rest",
    "changed": "Somebody changed its files. To remove those that are as written",
    "gone": "Its files are not there. To take it off this list",
    "unreadable": "Its files cannot be read. To try to remove them",
}


def _removed(name: str, folders: Sequence[Disarmed]) -> Iterator[str]:
    removed = [path for folder in folders for path in folder.removed]
    changed = [path for folder in folders for path in folder.changed]
    yield f"Disarmed {name}. Removed:" if removed else f"{name} was not armed: nothing removed."
    yield from (f"  {path}" for path in removed)
    if changed:
        yield "Left, because somebody changed it since it was written:"
        yield from (f"  {path}" for path in changed)


def _for(scope: Scope) -> str:
    if not scope.patterns:
        return ""
    return ", for command lines with " + " or ".join(f"`{text}`" for text in scope.patterns)


def _time(seconds: float, now: datetime) -> str:
    return f"{datetime.fromtimestamp(seconds, now.tzinfo):%Y-%m-%d %H:%M}"
