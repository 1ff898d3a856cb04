"""`hangbisect exec`: run any command, and judge each Python program that it starts."""

from datetime import datetime
from pathlib import Path

import click

from hangbisect import session
from hangbisect.cli._group import TargetCommand
from hangbisect.cli._incidents import Incidents
from hangbisect.cli._look import environment
from hangbisect.cli._options import FILE, SECONDS
from hangbisect.cli._output import format_of
from hangbisect.cli._status import OnHang
from hangbisect.errors import UsageError

GRAMMAR = (
    "Say `hangbisect exec [options] -- COMMAND ARGS`, for example `hangbisect exec -- npm start`."
)


@click.command("exec", cls=TargetCommand, options_metavar="[OPTIONS] [--] COMMAND [ARGS]...")
@click.option(
    "--patience",
    type=SECONDS,
    default=300.0,
    show_default=True,
    metavar="S",
    help="Seconds without progress after which a program that is not proved hung is called so.",
)
@click.option(
    "--on-hang",
    type=click.Choice(["proved", "end", "keep"]),
    default="keep",
    show_default=True,
    help="End a program that is proved to hang, any that is called hung, or nothing.",
)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="Write each report in this format too; text and JSON are always written.",
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FOLDER",
    help="Write reports to this new or empty folder [default: hangbisect-COMMAND-DATE, made here].",
)
def command(
    target: tuple[str, ...],
    patience: float,
    on_hang: OnHang,
    format_name: str | None,
    output: Path | None,
) -> int:
    """Run any command (npm start, torchrun, make ...) and watch each Python program below it.

    Its output and its exit status are its own. A program that hangs gets a report in a folder, and
    a line on standard error; the command goes on, and nothing is ended unless --on-hang says so.
    """
    if not target or not target[0]:
        raise UsageError("there is no command to run", help=GRAMMAR)
    incidents = Incidents(output, target[0], format_of(format_name, None), datetime.now())
    request = session.ExecRequest(
        argv=target, environment=environment(), patience=patience, on_hang=on_hang
    )
    status = session.follow(request, incidents.tell)
    if status is not None:
        session.exit_like(status)
    return 0
