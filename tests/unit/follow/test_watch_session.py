"""What a session file says."""

import pytest

from hangbisect.errors import UsageError
from hangbisect.follow.watch_session import WatchSession, parse, render

SESSION = WatchSession(
    watcher=41,
    began="5678",
    until=1796083200,
    folder="/tmp/some records",
    probe="/opt/ünïcode/probe",
    patterns=("run.py", "torchrun * train.py"),
)


def test_a_session_has_a_line_for_each_thing() -> None:
    assert render(SESSION).decode().splitlines() == [
        "hangbisect-session 1",
        "watcher 41 5678",
        "until 1796083200",
        "folder /tmp/some records",
        "probe /opt/ünïcode/probe",
        "for run.py",
        "for torchrun * train.py",
    ]


def test_a_session_is_read_as_it_was_written() -> None:
    assert parse(render(SESSION)) == SESSION


@pytest.mark.parametrize(
    "data",
    [b"", b"hangbisect-session 2\n", b"hangbisect-session 1\nuntil 5\n", b"\xff\xfe\0"],
    ids=["empty", "newer", "torn", "foreign"],
)
def test_what_is_no_session_is_none(data: bytes) -> None:
    assert parse(data) is None


def test_a_line_break_in_a_pattern_is_refused() -> None:
    session = WatchSession(
        watcher=1, until=2, folder="/a", probe="/b", patterns=("x\nfolder /evil",)
    )

    with pytest.raises(UsageError, match="line break"):
        render(session)
