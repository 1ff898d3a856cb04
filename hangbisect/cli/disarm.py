"""`hangbisect disarm`: remove what `hangbisect arm` wrote, and nothing else."""

import os
import sys

import click

from hangbisect.cli._arm_words import farewell
from hangbisect.cli._group import Command
from hangbisect.cli._state import state_folder
from hangbisect.cli._stream import put
from hangbisect.cli.arm import found
from hangbisect.errors import UsageError
from hangbisect.follow.armed import disarm, listed_in


@click.command("disarm", cls=Command)
@click.argument("python", required=False)
@click.option("--all", "is_all", is_flag=True, help="Each interpreter that `arm --list` shows.")
def command(python: str | None, is_all: bool) -> int:
    """Remove from a Python what `hangbisect arm` put there.

    A file that somebody changed since is named and left; the exit status is 1 then.
    """
    if is_all == (python is not None):
        raise UsageError("name a Python, or say --all", help="See `hangbisect arm --list`.")
    state = state_folder(os.environ)
    chosen = {item.armed.python for item in listed_in(state)} if is_all else {found(python)}
    done = [(name, disarm(name, state)) for name in sorted(chosen)]
    put(farewell(done), sys.stdout)
    return 1 if any(folder.changed for _, folders in done for folder in folders) else 0
