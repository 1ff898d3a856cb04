"""`hangbisect arm`: let an interpreter heed a watch, whoever starts it and however."""

import os
import shutil
import sys
from datetime import datetime
from pathlib import Path

import click

from hangbisect.cli._arm_words import announcement, table
from hangbisect.cli._group import Command
from hangbisect.cli._state import state_folder
from hangbisect.cli._stream import put
from hangbisect.cli._until import moment
from hangbisect.errors import UsageError
from hangbisect.follow.armed import arm, listed_in
from hangbisect.follow.hook import Scope
from hangbisect.follow.interpreter import Interpreter, ask

_BREAKS = "\r\n\0"


@click.command("arm", cls=Command)
@click.argument("python", required=False)
@click.option(
    "--for",
    "patterns",
    multiple=True,
    metavar="PATTERN",
    help="Only processes whose command line holds this text, `*` for anything. May be repeated.",
)
@click.option(
    "--until",
    default="7d",
    show_default=True,
    metavar="TIME",
    help="When it expires: 90m, 8h, 7d, 18:30, 2026-12-24.",
)
@click.option("--user", is_flag=True, help="In your own packages folder, not the interpreter's.")
@click.option("--list", "is_list", is_flag=True, help="List what you armed, each looked at anew.")
def command(
    python: str | None, patterns: tuple[str, ...], until: str, user: bool, is_list: bool
) -> int:
    """Let a Python heed a watch: what it runs is then recorded, whoever starts it.

    For what the environment cannot reach: a UI that runs already, launchers that clear variables,
    -I and -E. Two files are put beside the interpreter's packages; without an open watch they do
    nothing. `hangbisect disarm PYTHON` removes them.
    """
    if sys.platform == "win32":
        raise UsageError("this is not done on Windows yet", help="Use `hangbisect run` there.")
    state, now = state_folder(os.environ), datetime.now().astimezone()
    if is_list:
        put(table(tuple(listed_in(state)), now), sys.stdout)
        return 0
    interpreter = ask(found(python))
    site = _site(interpreter, user=user)
    scope = Scope(until=int(moment(until, now).timestamp()), patterns=_checked(patterns))
    written = arm(interpreter, site, scope, state)
    put(announcement(interpreter, site, written, scope, now), sys.stdout)
    return 0


def found(python: str | None) -> str:
    """Return the path of a Python as typed; links stay, an environment's Python is one.

    Raises:
        UsageError: none was named, or there is none.
    """
    if python is None:
        raise UsageError(
            "no Python was named", help="Name the one that runs your script: `.venv/bin/python`."
        )
    path = shutil.which(python) or (python if os.sep in python else None)
    if path is None:
        raise UsageError(f"there is no interpreter {python}", help="Name one by its path.")
    return str(Path(os.path.abspath(path)))


def _site(interpreter: Interpreter, *, user: bool) -> str:
    if not user:
        return interpreter.site
    if not interpreter.user_site:
        raise UsageError(
            f"{interpreter.executable} does not look into your own packages folder",
            help="In a virtual environment leave --user out.",
        )
    return interpreter.user_site


def _checked(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        if not pattern.strip("* ") or set(pattern) & set(_BREAKS):
            raise UsageError(
                f"--for {pattern!r} is no text of a command line",
                help="Say a part of it: --for run.py, --for 'torchrun*train.py'.",
            )
    return patterns
