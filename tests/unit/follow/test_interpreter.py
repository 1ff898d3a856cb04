"""What an interpreter's answer says."""

import json

import pytest

from hangbisect.errors import UsageError
from hangbisect.follow.interpreter import Interpreter, parse

ANSWER = {
    "version": [3, 11],
    "folders": ["/usr/local/lib/packages", "/usr/lib/packages"],
    "packages": "/usr/lib/packages",
    "user": "/home/ann/packages",
    "user_is_read": True,
    "no_site": False,
}


def answer(**changed: object) -> bytes:
    """Give the answer of an interpreter that differs in something."""
    return json.dumps({**ANSWER, **changed}).encode()


def test_the_folder_for_packages_is_taken_where_site_reads_it() -> None:
    assert parse("/usr/bin/python3", answer()) == Interpreter(
        executable="/usr/bin/python3",
        version=(3, 11),
        site="/usr/lib/packages",
        user_site="/home/ann/packages",
    )


def test_the_first_that_site_reads_is_taken_otherwise() -> None:
    assert parse("python", answer(packages="/elsewhere")).site == "/usr/local/lib/packages"


def test_an_environment_has_no_user_folder() -> None:
    assert parse("python", answer(user_is_read=False)).user_site == ""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not a Python 3.8"),
        (b"hello", "is not a Python 3.8"),
        (answer(version=[3, 7]), "too old"),
        (answer(no_site=True), r"runs no \.pth"),
    ],
    ids=["silent", "another program", "old", "without site"],
)
def test_what_cannot_be_armed_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse("python", data)
