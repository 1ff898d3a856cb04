"""The same words for the same things."""

import pytest

from hangbisect.report._wording import clean, command, duration, path


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.4, "59 s"), (61, "1 min 1 s"), (7860, "2 h 11 min")],
)
def test_a_length_of_time_is_said_for_people(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_command_is_as_one_would_type_it() -> None:
    assert command(("/usr/bin/python3", "run.py", "a b")) == "python3 run.py 'a b'"
    assert command(()) == "(unknown command)"


def test_a_long_text_is_cut() -> None:
    assert clean("x" * 50, 10) == "xxxxxxx..."


def test_lines_become_one() -> None:
    assert clean("a(\n    b)\r\n") == "a( b) "


@pytest.mark.parametrize(
    ("file", "said"),
    [("/srv/job/a.py", "a.py"), ("/srv/jobs/a.py", "/srv/jobs/a.py"), ("a.py", "a.py")],
)
def test_a_path_inside_the_working_directory_is_relative(file: str, said: str) -> None:
    assert path(file, "/srv/job") == said
