import json

import pytest

from hangbisect.model import Frame, Local, Thread
from hangbisect.watch.stack_error import StackError
from hangbisect.watch.stacks_pyspy import complaint, parse

FRAMES = [
    {
        "name": "Condition.wait",
        "filename": "/lib/threading.py",
        "module": None,
        "line": 359,
        "locals": [
            {"name": "self", "addr": 1, "arg": True, "repr": "<Condition at 0x7f>"},
            {"name": "timeout", "addr": 2, "arg": True, "repr": "None"},
        ],
    },
    {"name": "<module>", "filename": "run.py", "line": 1, "locals": None},
]
CONDITION = Local(name="self", type="Condition", address=0x7F)


def dump(**changes: object) -> bytes:
    thread = {"pid": 7, "thread_id": 99, "os_thread_id": 8, "owns_gil": False, "frames": FRAMES}
    return json.dumps([{**thread, **changes}]).encode()


def test_frames_are_turned_outermost_first_and_functions_lose_their_class() -> None:
    (thread,) = parse(7, dump())

    assert thread == Thread(
        pid=7,
        tid=8,
        frames=(
            Frame(function="<module>", file="run.py", line=1),
            Frame(function="wait", file="/lib/threading.py", line=359, locals=(CONDITION,)),
        ),
    )


def test_the_owner_of_the_gil_is_told() -> None:
    (thread,) = parse(7, dump(owns_gil=True))

    assert thread.gil == "holds"


def test_the_main_thread_is_known_by_its_name_where_ids_are_missing() -> None:
    (main,) = parse(7, dump(os_thread_id=None, thread_name="MainThread"))
    (other,) = parse(7, dump(os_thread_id=None, thread_name="worker"))

    assert (main.tid, other.tid) == (7, 0)


def test_quotes_within_a_string_are_unescaped() -> None:
    frame = {**FRAMES[1], "locals": [{"name": "p", "repr": '"/tmp/\\"a\\" b"'}]}

    (thread,) = parse(7, dump(frames=[frame]))

    assert thread.frames[0].locals == (Local(name="p", type="str", text='/tmp/"a" b'),)


@pytest.mark.parametrize("text", [b"", b"{}", b"[{}, 3]", b"Error: no"])
def test_unknown_output_is_an_error_with_words(text: bytes) -> None:
    with pytest.raises(StackError, match="unexpected output"):
        parse(7, text)


def test_the_last_cause_is_taken_from_a_complaint() -> None:
    printed = "Error: Failed to suspend\n\nCaused by:\n    0: why\n    1: EPERM (os error 1)\n\n"
    printed += "Stack backtrace:\n   0: main\n"

    assert complaint(printed) == "EPERM (os error 1)"


def test_a_complaint_of_one_line_is_taken_whole() -> None:
    assert complaint("Error: Failed to find python version\n") == "Failed to find python version"


def test_silence_is_told_as_such() -> None:
    assert complaint("") == "failed without a word"
