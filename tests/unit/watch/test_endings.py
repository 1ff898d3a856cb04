"""From a wait status and the last record to how a target ended."""

import pytest

from hangbisect.model import Ending, Flight, Span, Step, Way
from hangbisect.watch.endings import ending_of
from hangbisect.watch.happenings import Exited

ENTRY = Span(kind="statement", name="", file="/run.py", line=4, tid=1, began=10.0)
FLIGHT = Flight(pid=1, parent=0, began=10.0, version="3.11.7", entry=ENTRY)


def ended(flight: Flight | None, status: int = 0) -> Ending:
    return ending_of(
        Exited(pid=1, status=status), flight, 10.0, asked=False, by_us=False, dump=(), silent=None
    )


def stands(line: int, file: str = "/run.py") -> Step:
    step = Step(pid=1, kind="statement", name="", file=file, line=line)
    return Step(pid=1, kind="statement", name="", file=file, line=line, chain=(step,))


def flight(**fields: object) -> Flight:
    known = {name: getattr(FLIGHT, name) for name in FLIGHT.__struct_fields__}
    return Flight(**{**known, **fields})


@pytest.mark.parametrize(
    ("one", "way"),
    [
        (flight(finished=True, entry_end="returned"), "end"),
        (flight(finished=True, entry_end="left"), "exit"),
        (flight(finished=True), "finished"),
        (flight(), "at-once"),
        (flight(becomes="/bin/true"), "program"),
        (flight(implementation="pypy"), ""),
        (flight(version=""), ""),
        (None, ""),
    ],
)
def test_the_record_tells_how_a_program_left(one: Flight | None, way: Way) -> None:
    assert ended(one).way == way


def test_a_signal_leaves_no_way() -> None:
    assert ended(flight(), status=9).way == ""


def test_an_uncaught_exception_stands_where_it_was_raised() -> None:
    thrown = Span(kind="exit", name="OSError", file="/a.py", line=7, tid=1, began=11.0)

    ending = ended(flight(thrown=thrown, exception="OSError", finished=True), status=256)

    assert (ending.step, ending.is_rough) == (stands(7, "/a.py"), False)


def test_a_script_that_was_left_stands_at_that_line() -> None:
    left = flight(finished=True, entry_end="left", entry_exact=True, entry_line=9)

    assert (ended(left).step, ended(left).is_rough) == (stands(9), False)


def test_a_line_that_was_only_seen_last_is_called_so() -> None:
    assert (ended(flight()).step, ended(flight()).is_rough) == (stands(4), True)
    assert not ended(flight(entry_end="left", entry_exact=True)).is_rough


def test_after_exec_no_step_of_the_old_program_is_named() -> None:
    assert ended(flight(becomes="/bin/true")).step is None
