"""How a report may look where it is shown: decided from what the terminal says of itself."""

import os
import shutil
from collections.abc import Mapping
from typing import TextIO

from hangbisect.cli._stream import is_terminal
from hangbisect.report import PLAIN, Style


def style_for(stream: TextIO | None, environment: Mapping[str, str]) -> Style:
    """Return the style for a stream of ours."""
    shown = is_terminal(stream)
    columns = shutil.get_terminal_size().columns if shown else PLAIN.width
    return style(
        is_terminal=shown,
        encoding=(stream and stream.encoding) or "ascii",
        columns=columns,
        environment=environment,
    )


def style(
    *, is_terminal: bool, encoding: str, columns: int, environment: Mapping[str, str]
) -> Style:
    """Decide: NO_COLOR and FORCE_COLOR win (no-color.org, force-color.org), then TERM=dumb."""
    colour = is_terminal and environment.get("TERM") != "dumb"
    if environment.get("FORCE_COLOR"):
        colour = True
    if environment.get("NO_COLOR"):
        colour = False
    plain = not encoding.lower().replace("-", "").startswith("utf")
    return Style(width=min(max(columns, 40), 120), colour=colour, ascii=plain)


def environment() -> dict[str, str]:
    """Return our own environment, read here and nowhere else in the command line."""
    return dict(os.environ)
