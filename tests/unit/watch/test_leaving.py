"""The statement at which a script was left, from its source."""

import pytest

from hangbisect.model import Leaving
from hangbisect.watch.leaving import leaving

SOURCE = """\
import sys
try:
    import trainer
except ImportError:
    sys.exit(0)
except (OSError, ValueError) as error:
    print(error)
    raise SystemExit(1)
if len(sys.argv) > 1:
    sys.exit("a text")
def main():
    sys.exit(2)
main()
trainer.go()
"""


def row(line: int, text: str, rest: int, **fields: object) -> Leaving:
    return Leaving(file="run.py", line=line, text=text, rest=rest, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "expected",
    [
        row(3, "import trainer", 4),
        row(5, "sys.exit(0)", 4, is_exit=True, handles="ImportError", is_mute=True),
        row(8, "raise SystemExit(1)", 4, is_exit=True, handles="(OSError, ValueError)"),
        row(10, 'sys.exit("a text")', 3),
        row(13, "main()", 1),
        row(14, "trainer.go()", 0),
    ],
    ids=lambda row: row.text,
)
def test_a_line_is_known_with_what_is_around_and_after_it(expected: Leaving) -> None:
    assert leaving(SOURCE, "run.py", expected.line) == expected


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import os\nos._exit(0)\n", True),
        ("from os import _exit\n", True),
        ("import os\n'os._exit'\n", False),
    ],
)
def test_it_is_known_whether_a_script_names_the_exit_at_once(source: str, names: bool) -> None:
    found = leaving(source, "run.py", 1)

    assert found is not None
    assert found.names_exit is names


@pytest.mark.parametrize(("source", "line"), [("if", 1), ("a = 1\n", 7), ("\0", 1), ("", 1)])
def test_what_cannot_be_read_says_nothing(source: str, line: int) -> None:
    assert leaving(source, "run.py", line) is None
