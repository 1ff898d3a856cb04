"""The report for people."""

import re

import msgspec
import pytest

from hangbisect.model import Diagnosis, Gap, Link, Step, Target, Thing, ThreadRef
from hangbisect.report import Style, render

HUNG = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="hung",
    certainty="likely",
    elapsed=30.0,
    stalled_at=2.0,
    target=Target(argv=("python", "run.py"), pid=7, python="3.12", cwd="/srv/job"),
    step=Step(pid=7, kind="statement", name="queue.get()", file="/srv/job/run.py", line=12),
    wait_chain=None,
    end="nobody",
)


def replaced(**changes: object) -> Diagnosis:
    return msgspec.structs.replace(HUNG, **changes)


def test_the_first_line_says_the_verdict_and_the_step() -> None:
    first = render(HUNG, "terminal", Style(width=120)).splitlines()[0]

    assert first == (
        "HUNG (likely): `queue.get()` at run.py:12 has not returned, and nothing moved for 28 s."
    )


def test_a_statement_without_a_text_is_said_by_its_place() -> None:
    nameless = Step(pid=7, kind="statement", name="", file="/srv/job/run.py", line=5)

    text = render(replaced(step=nameless, last_completed=nameless), "terminal", Style(width=120))

    assert text.startswith("HUNG (likely): run.py:5 has not returned,")
    assert "completed before: run.py:5\n" in text


def test_a_link_says_where_its_thread_stands() -> None:
    link = Link(
        waiter=ThreadRef(pid=7, tid=9),
        on=Thing(kind="lock", id="0x7f01"),
        holders=(),
        says="waits for the lock `A`",
        at="/srv/job/run.py:6",
    )

    text = render(replaced(wait_chain=(link,)), "terminal", Style(width=120))

    assert "thread 9 waits for the lock `A` (at run.py:6)" in text


def test_an_unknown_cause_is_said_and_what_to_try_next() -> None:
    text = render(HUNG, "terminal", Style(width=120))

    assert "The cause is unknown. Nobody is left who could end the wait" in text
    assert "look again with `hangbisect attach 7`" in text


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    gaps = tuple(Gap(what="x" * 150, why="y " * 90, remedy=f"{n}") for n in range(9))

    text = render(replaced(gaps=gaps), "terminal", Style(width=width, ascii=True))

    assert max(len(line) for line in text.splitlines()) <= width


def test_ascii_means_ascii() -> None:
    step = Step(pid=7, kind="statement", name="wait('☃')", file="/srv/job/naïve.py", line=1)

    text = render(replaced(step=step), "terminal", Style(ascii=True))

    assert text.isascii()
    assert "na\\xefve.py" in text


def test_without_colour_there_is_no_escape_sequence() -> None:
    assert "\x1b" not in render(HUNG, "terminal", Style())
    assert "\x1b" in render(HUNG, "terminal", Style(colour=True))


def test_what_a_stranger_wrote_is_shown_and_not_obeyed() -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe [bold]x[/bold] :skull:"

    text = render(
        replaced(step=Step(pid=7, kind="import", name=evil, file=f"/{evil}", line=1)),
        "terminal",
        Style(width=200),
    )

    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text)
    assert "\\x1b]0;owned\\x07" in text
    assert "[bold]x[/bold] :skull:" in text


def test_a_list_is_cut_and_says_so() -> None:
    gaps = tuple(Gap(what=f"fact {n}", why=f"reason {n}") for n in range(9))

    text = render(replaced(gaps=gaps), "terminal", Style())

    assert "and 5 more, see --format json" in text


def test_gaps_with_one_reason_share_a_line() -> None:
    gaps = (Gap(what="stack", why="refused"), Gap(what="memory", why="refused"))

    text = render(replaced(gaps=gaps), "terminal", Style())

    assert "- stack; memory: refused" in text


def test_a_finished_run_is_one_line() -> None:
    text = render(replaced(verdict="finished", step=None), "terminal", Style())

    assert text == "FINISHED: `python run.py` ended after 30 s.\n"


def test_an_unknown_format_is_refused() -> None:
    from hangbisect.errors import UsageError

    with pytest.raises(UsageError, match="no report format 'html'"):
        render(HUNG, "html", Style())
