"""Options that several commands share."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from hangbisect.cli._look import environment, style_for
from hangbisect.cli._output import deliver, format_of
from hangbisect.model import Diagnosis
from hangbisect.report import PLAIN, render

F = TypeVar("F", bound=Callable[..., Any])


class _Seconds(click.FloatRange):
    """A length of time: a number from 0 on."""

    name = "number of seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Refuse NaN too, which is within every range."""
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return seconds


class _File(click.Path):
    """The name of a file that we write."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse the empty name, which would mean the working folder."""
        if value == "":
            self.fail("the name of the file is empty.", param, ctx)
        return super().convert(value, param, ctx)


SECONDS = _Seconds(min=0)
FILE = _File(path_type=Path)


def report_options(function: F) -> F:
    """Add --format and -o."""
    function = click.option(
        "-o",
        "--output",
        type=FILE,
        metavar="FILE",
        help="Write the report to this new file (`-` is standard output).",
    )(function)
    return click.option(
        "--format",
        "format_name",
        metavar="NAME",
        help="terminal, json or markdown; by default what the file's suffix says, else terminal.",
    )(function)


def notice_option(function: F) -> F:
    """Add --notice."""
    return click.option(
        "--notice",
        type=SECONDS,
        default=5.0,
        show_default=True,
        metavar="S",
        help="Seconds without progress after which the step and its wait are shown.",
    )(function)


def write_report(
    diagnosis: Diagnosis, format_name: str | None, output: Path | None, stream: TextIO | None
) -> None:
    """Write a report as the options of `report_options` ask."""
    name = format_of(format_name, output)
    style = PLAIN if output is not None else style_for(stream, environment())
    deliver(render(diagnosis, name, style), output, stream)
