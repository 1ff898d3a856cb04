"""When something expires."""

from datetime import datetime, timedelta, timezone

import pytest

from hangbisect.cli._until import moment
from hangbisect.errors import UsageError

ZONE = timezone(timedelta(hours=2))
NOW = datetime(2026, 12, 1, 18, 0, 30, tzinfo=ZONE)


@pytest.mark.parametrize(
    ("text", "day", "time"),
    [
        ("90m", 1, (19, 30, 30)),
        ("8h", 2, (2, 0, 30)),
        ("7d", 8, (18, 0, 30)),
        ("18:30", 1, (18, 30, 0)),
        ("18:00", 2, (18, 0, 0)),
        ("2026-12-24", 24, (0, 0, 0)),
        ("2026-12-24T08:15", 24, (8, 15, 0)),
    ],
)
def test_a_time_is_read(text: str, day: int, time: tuple[int, int, int]) -> None:
    assert moment(text, NOW) == datetime(2026, 12, day, *time, tzinfo=ZONE)


@pytest.mark.parametrize("text", ["", "soon", "25:00", "0m", "2020-01-01", "5 h"])
def test_what_is_no_time_to_come_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no time|has passed"):
        moment(text, NOW)
