"""`hangbisect schema`: the JSON Schema of the JSON report."""

import json
import sys

import click

from hangbisect.cli._group import Command
from hangbisect.cli._stream import put
from hangbisect.report.json import schema


@click.command("schema", cls=Command)
def command() -> int:
    """Print the JSON Schema that every JSON report validates against."""
    put(json.dumps(schema(), indent=2) + "\n", sys.stdout)
    return 0
