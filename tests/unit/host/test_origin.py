"""What the environment of a process says of our way in."""

import pytest

from hangbisect.host.origin import entrance, owner, parse_environ

OURS = "/lib/hangbisect/probe/inject"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"PYTHONPATH={OURS}:/srv\0HANGBISECT_FOLDER=/run/x\0", "open"),
        (f"PYTHONPATH=/srv:{OURS}/\0HANGBISECT_FOLDER=/run/x\0", "open"),
        (f"PYTHONPATH={OURS}\0", "no folder"),
        ("PYTHONPATH=/srv\0HANGBISECT_FOLDER=/run/x\0", "replaced"),
        ("HANGBISECT_FOLDER=/run/x\0", "dropped"),
        ("PATH=/bin\0", "scrubbed"),
        ("", "emptied"),
    ],
)
def test_the_way_in_is_read_from_the_environment(text, expected):
    assert entrance(parse_environ(text)) == expected


def test_the_user_is_the_effective_one():
    assert owner("Name:\tx\nUid:\t1000\t0\t0\t0\n") == 0
    assert owner("") is None
