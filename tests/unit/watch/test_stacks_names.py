"""Names that one reader of stacks could not decode are taken from the other, or left out."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from hangbisect.host import Question
from hangbisect.model import Frame, Local, Thread
from hangbisect.watch._names import completed, has_garbled, without_garbled
from hangbisect.watch.sources import sources


def frame(file: str, function: str, line: int) -> Frame:
    return Frame(file=file, function=function, line=line)


def thread(*frames: Frame, tid: int = 7) -> Thread:
    return Thread(pid=7, tid=tid, frames=frames)


MAIN = frame("/home/josé/run.py", "<module>", 7)
CALL = frame("/home/josé/run.py", "größe", 5)
WAIT = frame("/usr/lib/python3.11/threading.py", "wait", 327)
OTHER = frame("/srv/日本.py", "begin", 3)


def test_garbled_names_are_taken_from_the_other_reading() -> None:
    mine = thread(frame("\0\0\0", "<module>", 7), frame("\0\0\0", "\x05\0", 5), WAIT)

    assert completed(mine, [thread(MAIN, CALL, WAIT)]) == thread(MAIN, CALL, WAIT)


@pytest.mark.parametrize("kept", [(), (WAIT,), (MAIN, WAIT), (MAIN, CALL)])
def test_frames_that_were_left_out_come_back(kept: tuple[Frame, ...]) -> None:
    whole = thread(MAIN, CALL, WAIT)

    assert completed(thread(*kept), [whole]) == whole


def test_a_string_that_one_reader_left_out_comes_from_the_other() -> None:
    asked = Local(name="name", type="str", text="größe")
    held = Local(name="self", type="Lock", address=1)
    mine = thread(replace(CALL, locals=(held,)), WAIT)
    other = thread(replace(CALL, locals=(asked, replace(held, address=2))), WAIT)

    assert completed(mine, [other]) == thread(replace(CALL, locals=(held, asked)), WAIT)


def test_a_stack_of_another_moment_is_not_mixed_in() -> None:
    mine = thread(MAIN, WAIT)

    assert completed(mine, [thread(frame(MAIN.file, "<module>", 8), CALL, WAIT)]) == mine


def test_a_stack_that_may_be_another_threads_is_not_mixed_in() -> None:
    mine = thread(WAIT, tid=8)
    others = [thread(CALL, WAIT, tid=0), thread(OTHER, WAIT, tid=0)]

    assert completed(mine, others) == mine
    assert completed(mine, [*others, thread(OTHER, WAIT, tid=8)]) == thread(OTHER, WAIT, tid=8)


@pytest.mark.parametrize("name", ["\0\0", "a\0b", "\ufffd.py", "\x1b[0m"])
def test_what_is_no_name_is_left_empty(name: str) -> None:
    bad = thread(frame(name, name, 3), WAIT)

    assert has_garbled([bad])
    assert without_garbled(bad) == thread(frame("", "", 3), WAIT)


def test_names_of_any_language_stay() -> None:
    good = thread(MAIN, CALL, frame("/srv/日本 x/é.py", "f", 1), frame("<frozen runpy>", "r", 1))

    assert not has_garbled([good])
    assert without_garbled(good) == good


@pytest.mark.parametrize("name", ["\0\0", "\udcff.py", ""])
def test_a_name_that_no_file_can_have_has_no_source(name: str, tmp_path: Path) -> None:
    good = tmp_path / "ü.py"
    good.write_text("pass\n")
    question = Question(root=1, lines=((name, 1), (str(good), 0), (str(good), 1)))

    found = [row for facts in sources(question) for row in facts.sources]

    assert found == [(str(good), 1, "pass")]
