"""`hangbisect show`: report again from what was saved, here or elsewhere."""

import sys
from pathlib import Path

import click

from hangbisect import session
from hangbisect.cli._group import Command
from hangbisect.cli._options import report_options, write_report
from hangbisect.cli._output import check


@click.command("show", cls=Command)
@click.argument("saved", type=click.Path(path_type=Path))
@report_options
def command(saved: Path, format_name: str | None, output: Path | None) -> int:
    """Report from a saved snapshot, a diagnosis, or the folder of a flight record.

    No process is looked at: it works on another machine, and after hangbisect was killed.
    """
    check(output)
    write_report(session.load(saved), format_name, output, sys.stdout)
    return 0
