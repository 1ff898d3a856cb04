"""`hangbisect attach`: look at a process that runs already, and leave it as it is."""

import sys
from pathlib import Path

import click

from hangbisect import session
from hangbisect.cli._group import Command
from hangbisect.cli._options import SECONDS, report_options, write_report
from hangbisect.cli._output import check
from hangbisect.cli._stream import is_terminal, put
from hangbisect.errors import UsageError


@click.command("attach", cls=Command)
@click.argument("pid", type=int)
@click.option(
    "--patience",
    type=SECONDS,
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds to look, unless a hang is proved before; without progress it is possibly hung.",
)
@report_options
def command(pid: int, patience: float, format_name: str | None, output: Path | None) -> int:
    """Look at a Python process and those below it, and say what they wait for.

    Nothing is ended, and nothing is left behind. The report goes to standard output.
    """
    if pid <= 0:
        raise UsageError(f"{pid} is no process id", help="Name the pid that `ps` or `pgrep` shows.")
    check(output)
    if is_terminal(sys.stderr):
        put(f"hangbisect: looking at process {pid} for at most {patience:g} s\n", sys.stderr)
    outcome = session.attach(pid, patience=patience)
    write_report(outcome.diagnosis, format_name, output, sys.stdout)
    return 0
