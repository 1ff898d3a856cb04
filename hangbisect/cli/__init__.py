"""The command line: one thin file a command, found by name; wrong use ends here in one message."""

import gc
import sys
from typing import NoReturn

import click

from hangbisect._version import __version__
from hangbisect.cli._group import Verbs
from hangbisect.cli._stream import put
from hangbisect.errors import HangbisectError, WatchFailed

INTERRUPTED = 130
YOUNG = 50_000
"""Objects made between two garbage collections: by default they cost a sixth of the start-up."""


def main() -> NoReturn:
    """Run the command that the arguments name, and end with its exit status."""
    gc.set_threshold(YOUNG)
    sys.exit(_status())


def cli() -> click.Group:
    """Return the command with all its verbs."""
    group = Verbs(
        name="hangbisect",
        help="Find what hangs a Python program at its start, and name who holds it. "
        "`hangbisect run.py args` runs a script: `run` may be left out.",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    version = click.option(
        "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
        help="Show the version and exit.",
    )  # fmt: skip
    return version(group)


def _status() -> int:
    try:
        result = cli().main(prog_name="hangbisect", standalone_mode=False)
    except WatchFailed as failed:
        from hangbisect.session import exit_like  # only now: it costs a tenth of a second

        exit_like(failed.wait_status)
    except HangbisectError as error:
        return _complain(str(error), error.help, error.status)
    except click.exceptions.NoArgsIsHelpError as error:
        return _complain(error.format_message(), prefix="")
    except click.ClickException as error:
        return _complain(
            error.format_message(), _help_of(error), error.exit_code if error.exit_code > 1 else 2
        )
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def _show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        put(f"hangbisect {__version__}\n", sys.stdout)
        ctx.exit()


def _complain(
    message: str, advice: str = "", status: int = 2, *, prefix: str = "hangbisect: "
) -> int:
    put(f"{prefix}{message}\n" + (f"{advice}\n" if advice else ""), sys.stderr)
    return status


def _help_of(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    name = context.command_path if context is not None else "hangbisect"
    if isinstance(error, click.NoSuchOption) and name.endswith("run"):
        return (
            "Options of hangbisect stand before the script, its own after it, and those of the "
            f"interpreter in --python 'python {error.option_name}'. See `{name} --help`."
        )
    return f"See `{name} --help`."
