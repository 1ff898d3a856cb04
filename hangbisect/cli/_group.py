"""The command `hangbisect`: its verbs, `run` where none is named, and what makes that unclear."""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

import click

from hangbisect import cli
from hangbisect.cli._grammar import split
from hangbisect.cli._stream import put
from hangbisect.cli._target import is_runnable
from hangbisect.discover import names_in
from hangbisect.errors import UsageError

_VERB = "--command"


class Command(click.Command):
    """A command whose help is written like a report: the reader may be gone, the disk full."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return click's option, with our way to write."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
        return option


class Verbs(Command, click.Group):
    """A group whose first argument may be a target instead of a verb."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Name the verb where it was left out."""
        return super().parse_args(ctx, with_verb(args, self.list_commands(ctx), _runnable_here))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the verbs: each file of the command line without a leading underscore is one."""
        return list(names_in(cli))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb when it is asked for: a target must not wait for all of them."""
        if cmd_name not in self.list_commands(ctx):
            return None
        return cast(click.Command, import_module(f"{cli.__name__}.{cmd_name}").command)


class TargetCommand(Command):
    """A command that ends in a target: what follows our options is kept whole as `target`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse only what stands before the target."""
        ours, target = split(args, self._with_value())
        rest = super().parse_args(ctx, ours)
        ctx.params["target"] = target
        return rest

    def _with_value(self) -> frozenset[str]:
        options = (param for param in self.params if isinstance(param, click.Option))
        return frozenset(name for o in options if not o.is_flag and not o.count for name in o.opts)


def with_verb(args: list[str], verbs: list[str], is_file: Callable[[str], bool]) -> list[str]:
    """Return the arguments with a verb in front; `is_file` says whether a name could be run here.

    Raises:
        UsageError: the verb's name is also that of something that could be run.
    """
    if not args or args[0] in ("--help", "-h", "--version"):
        return args
    first = args[0]
    if first == _VERB:
        return args[1:]
    if first not in verbs:
        return ["run", *args]
    if is_file(first):
        rest = " ".join(args[1:3])
        raise UsageError(
            f"`{first}` is a command of hangbisect and also something here that Python could run",
            help=f"Say `hangbisect run ./{first} {rest}`".rstrip("` ")
            + f"` to run it, or `hangbisect {_VERB} {first} {rest}".rstrip()
            + "` for the command.",
        )
    return args


def _runnable_here(name: str) -> bool:
    try:
        return is_runnable(name, os.getcwd())
    except FileNotFoundError:  # the working directory was removed
        return False


def _show_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        put(ctx.get_help() + "\n", sys.stdout)
        ctx.exit()
