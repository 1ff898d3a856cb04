"""A prompt before a person's eyes is no hang, however long they take."""

import pytest

from hangbisect.model import Descriptor
from hangbisect.watch.judge import judge
from tests.unit.waits.builder import on, process, reading, thread, wait_for

TERMINAL = Descriptor(pid=100, fd=0, kind="terminal", target="/dev/pts/3", mode="rw")
FOREGROUND = {"terminal": 34819, "group": 100, "foreground": 100}


def verdict(*threads, **tables):
    found = reading(*threads, occasion="patience", **tables)
    return judge(found.snapshot, found)


@pytest.mark.parametrize("call", [on("read", 0), on("poll", 0), on("pselect6", 0)], ids=str)
def test_a_prompt_on_the_foreground_terminal_is_no_hang(call):
    found = verdict(thread(100, call), processes=(process(**FOREGROUND),), descriptors=(TERMINAL,))

    assert found == ("unknown", None)


def test_a_childs_prompt_on_the_foreground_terminal_is_no_hang():
    asking = Descriptor(pid=200, fd=3, kind="terminal", target="/dev/tty", mode="rw")

    found = verdict(
        thread(100, wait_for(200)),
        thread(200, on("read", 3), pid=200),
        processes=(process(**FOREGROUND), process(200, 100, **FOREGROUND)),
        descriptors=(asking,),
    )

    assert found == ("unknown", None)


@pytest.mark.parametrize(
    "fields",
    [{}, {**FOREGROUND, "foreground": 700}, {**FOREGROUND, "terminal": 0}],
    ids=["nothing known", "another group has the terminal", "no controlling terminal"],
)
def test_a_prompt_that_nobody_sees_is_likely_a_hang(fields):
    found = verdict(
        thread(100, on("read", 0)), processes=(process(**fields),), descriptors=(TERMINAL,)
    )

    assert found == ("hung", "likely")


def test_a_terminal_that_takes_no_output_is_likely_a_hang():
    found = verdict(
        thread(100, on("write", 0, writes=True)),
        processes=(process(**FOREGROUND),),
        descriptors=(TERMINAL,),
    )

    assert found == ("hung", "likely")


def test_a_silent_pipe_as_standard_input_is_likely_a_hang():
    silent = Descriptor(
        pid=100, fd=0, kind="pipe", target="pipe:[7]", inode=7, mode="r", inherited=True
    )

    found = verdict(
        thread(100, on("read", 0)), processes=(process(**FOREGROUND),), descriptors=(silent,)
    )

    assert found == ("hung", "likely")
