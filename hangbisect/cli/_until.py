"""When something expires: a time of day, a date, or so long from now."""

import re
from datetime import datetime, timedelta

from hangbisect.errors import UsageError

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_LENGTH = re.compile(r"(\d{1,4})([smhd])")
_TIME = re.compile(r"(\d\d):(\d\d)")


def moment(text: str, now: datetime) -> datetime:
    """Return the moment that a text names, in the zone of `now`: `8h`, `18:30`, `2026-12-24`.

    A time of day is the next one; a date without a time is the begin of that day.

    Raises:
        UsageError: it names none, or one that has passed.
    """
    try:
        found = _parse(text.strip(), now)
    except ValueError:
        raise UsageError(
            f"{text!r} is no time", help="Say 90m, 8h, 7d, 18:30, 2026-12-24 or 2026-12-24T18:30."
        ) from None
    if found <= now:
        raise UsageError(f"{text!r} has passed", help="Name a time that is to come.")
    return found


def _parse(text: str, now: datetime) -> datetime:
    if length := _LENGTH.fullmatch(text):
        return now + timedelta(**{_UNITS[length[2]]: int(length[1])})
    if time := _TIME.fullmatch(text):
        found = now.replace(hour=int(time[1]), minute=int(time[2]), second=0, microsecond=0)
        return found if found > now else found + timedelta(days=1)
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=now.tzinfo)
