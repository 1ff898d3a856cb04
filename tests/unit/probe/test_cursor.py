"""Lines from instruction offsets."""

import sys

import pytest

from hangbisect.probe.cursor import Cursor

CODE = compile("a = 1\n\nfor b in (1, 2):\n    c = str(\n        b)\n", "x", "exec")


@pytest.mark.skipif(sys.version_info < (3, 10), reason="code.co_lines is new in 3.10")
def test_a_cursor_says_what_the_table_says_in_any_order() -> None:
    expected = {
        offset: line or 0 for begin, end, line in CODE.co_lines() for offset in range(begin, end, 2)
    }
    cursor = Cursor(CODE)
    forwards = {offset: cursor.line(offset) for offset in expected}
    backwards = {offset: cursor.line(offset) for offset in reversed(expected)}

    assert forwards == backwards == expected


def test_an_offset_beyond_the_code_has_no_line() -> None:
    assert Cursor(CODE).line(100_000) == 0
