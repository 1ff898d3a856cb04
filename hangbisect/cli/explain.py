"""`hangbisect explain`: what a cause is, how it is recognised, and what helps."""

import sys

import click

from hangbisect import session
from hangbisect.cli._group import Command
from hangbisect.cli._stream import put


@click.command("explain", cls=Command)
@click.argument("code")
def command(code: str) -> int:
    """Explain a cause by its code, for example HB201."""
    put(session.explain(code).rstrip() + "\n", sys.stdout)
    return 0
