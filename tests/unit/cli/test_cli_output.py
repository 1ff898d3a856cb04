"""Which format a report has."""

from pathlib import Path

import pytest

from hangbisect.cli._output import format_of
from hangbisect.errors import UsageError


@pytest.mark.parametrize(
    ("name", "output", "expected"),
    [
        (None, None, "terminal"),
        (None, "report", "terminal"),
        (None, "report.txt", "terminal"),
        (None, "report.json", "json"),
        (None, "report.md", "markdown"),
        (None, "report.markdown", "markdown"),
        ("json", "report.md", "json"),
        ("markdown", None, "markdown"),
    ],
)
def test_the_format_is_the_one_asked_for_or_that_of_the_suffix(
    name: str | None, output: str | None, expected: str
) -> None:
    assert format_of(name, Path(output) if output else None) == expected


def test_an_unknown_format_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError) as raised:
        format_of("html5", None)

    assert "json, markdown" in (raised.value.help or "")
