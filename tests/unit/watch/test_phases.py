from pathlib import Path

import pytest

from hangbisect.model import Event, Flight, Frame, Phase, Thread
from hangbisect.watch.milestones import functions_of, is_whole, milestones_in, with_scopes
from hangbisect.watch.phases import (
    Phases,
    has_begun_training,
    in_progress,
    last_completed,
    timed,
    words,
)
from hangbisect.watch.scopes import scope_at

PACKAGES = "/venv/lib/python3.11/site-packages/"
SCRIPT = Frame(function="<module>", file="/srv/run.py", line=9)
PREPARE = Frame(
    function="prepare",
    file=PACKAGES + "accelerate/accelerator.py",
    line=1400,
    scope="Accelerator.prepare",
)
BACKWARD = Frame(
    function="backward", file=PACKAGES + "torch/_tensor.py", line=600, scope="Tensor.backward"
)
SOURCE = """
class Trainer:
    def fit(self):
        return [
            1,
        ]

    @property
    def wrapped(self):
        def inner():
            text = '''
no indentation
'''
            return text
        return inner


def fit():
    class Local:
        def fit(self):
            pass
    return 2
"""


def thread(*frames: Frame, pid: int = 7) -> Thread:
    return Thread(pid=pid, tid=pid, frames=(SCRIPT, *frames))


def event(what: str, name: str, time: float, **more: object) -> Event:
    return Event(time=time, pid=7, tid=7, what=what, name=name, **more)  # type: ignore[arg-type]


def told(*events: Event) -> Phases:
    phases = Phases(100.0)
    for one in events:
        phases.see(one)
    return phases


def short(phases: tuple[Phase, ...]) -> list[tuple[str, float | None, float | None]]:
    return [(p.name, p.began, p.ended) for p in phases]


@pytest.mark.parametrize(
    ("line", "function", "scope"),
    [
        (5, "fit", "Trainer.fit"),
        (12, "inner", "Trainer.wrapped.<locals>.inner"),
        (21, "fit", "fit.<locals>.Local.fit"),
        (22, "fit", "fit"),
        (5, "other", ""),
        (1, "fit", ""),
    ],
)
def test_a_function_is_named_by_a_line_of_it(line: int, function: str, scope: str) -> None:
    assert scope_at(SOURCE, line, function) == scope


def test_a_source_that_cannot_be_read_names_nothing() -> None:
    assert scope_at("def f(:\n    pass", 2, "f") == ""


def test_a_frame_tells_a_phase_by_its_module_and_its_qualified_name() -> None:
    found = milestones_in((SCRIPT, PREPARE, BACKWARD))

    assert [(m.phase, f) for m, f in found] == [("prepare", PREPARE), ("training begins", BACKWARD)]


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(Frame(function="prepare", file=PREPARE.file, line=3), id="scope unknown"),
        pytest.param(
            Frame(function="prepare", file=PREPARE.file, line=3, scope="Other.prepare"),
            id="another class of the file",
        ),
        pytest.param(
            Frame(function="prepare", file="/srv/accelerator.py", line=3, scope=PREPARE.scope),
            id="another file",
        ),
        pytest.param(
            Frame(function="parse_args", file="/usr/lib/python3.11/argparse.py", line=3),
            id="known only when it returns",
        ),
        pytest.param(
            Frame(
                function="load", file="/usr/lib/python3.11/json/__init__.py", line=3, scope="load"
            ),
            id="counts only once arguments are parsed",
        ),
    ],
)
def test_nothing_is_guessed_from_a_frame(frame: Frame) -> None:
    assert milestones_in((SCRIPT, frame)) == ()


def test_a_step_on_the_stack_shows_that_training_has_begun() -> None:
    file = PACKAGES + "torch/optim/optimizer.py"
    scope = "Optimizer.profile_hook_step.<locals>.wrapper"

    found = milestones_in((Frame(function="wrapper", file=file, line=3, scope=scope),))

    assert [(m.phase, m.lasts) for m, _ in found] == [("training begins", False)]


def test_only_frames_that_may_tell_a_phase_are_asked_about() -> None:
    bare = Frame(function="prepare", file=PREPARE.file, line=PREPARE.line)
    threads = (thread(bare, Frame(function="prepare", file="/srv/kitchen.py", line=1)),)

    asked = functions_of(threads)

    assert asked == ((PREPARE.file, 1400, "prepare"),)
    named = with_scopes(threads, [(*asked[0], "Accelerator.prepare")])
    assert named[0].frames[1] == PREPARE
    assert functions_of(named) == ()


def test_a_stack_without_its_beginning_is_not_whole() -> None:
    assert is_whole(thread(PREPARE))
    assert not is_whole(Thread(pid=7, tid=7, frames=(PREPARE,)))


def test_events_become_phases_in_their_order() -> None:
    phases = told(
        event("start", "", 100.1),
        event("exec", "__main__", 100.2, file="/srv/run.py"),
        event("phase-done", "arguments parsed", 101.0),
        event("phase", "model loading", 102.0),
        event("phase", "download", 102.5),
        event("phase-done", "download", 103.0),
    )

    assert short(phases.all) == [
        ("interpreter started", None, 0.1),
        ("script started", None, 0.2),
        ("arguments parsed", None, 1.0),
        ("model loading", 2.0, None),
        ("download", 2.5, 3.0),
    ]
    current, done = in_progress(phases.all, 7), last_completed(phases.all, 7)
    assert current is not None
    assert done is not None
    assert (current.name, done.name) == ("model loading", "download")
    assert words(phases.all, 7) == "in model loading"
    assert not phases.training_has_begun


def test_calls_of_one_phase_right_after_each_other_are_one() -> None:
    phases = told(
        event("phase", "model loading", 102.0),
        event("phase-done", "model loading", 103.0),
        event("phase", "model loading", 104.0),
        event("phase-done", "model loading", 105.0),
    )

    assert short(phases.all) == [("model loading", 2.0, 5.0)]


def test_a_phase_that_an_exception_left_is_not_completed() -> None:
    phases = told(
        event("phase", "model loading", 102.0), event("phase-failed", "model loading", 103.0)
    )

    assert [(p.ended, p.failed) for p in phases.all] == [(3.0, True)]
    assert last_completed(phases.all, 7) is None
    assert in_progress(phases.all, 7) is None


def test_a_pid_that_starts_again_begins_anew() -> None:
    phases = told(event("phase", "prepare", 101.0), event("start", "", 102.0))

    assert short(phases.all) == [("interpreter started", None, 2.0)]


def test_stacks_show_a_phase_from_when_it_is_seen_until_it_is_not() -> None:
    phases = Phases(100.0)

    seen = phases.observe([thread(PREPARE)], 105.0, frozenset())
    again = phases.observe([thread(PREPARE)], 106.0, frozenset())
    torn = phases.observe([Thread(pid=7, tid=7, frames=())], 106.5, frozenset())
    gone = phases.observe([thread()], 107.0, frozenset())

    assert short(phases.all) == [("prepare", 5.0, 7.0)]
    assert [(e.what, e.name) for e in seen] == [("phase", "prepare")]
    assert (again, torn) == ((), ())
    assert [(e.what, e.name) for e in gone] == [("phase-done", "prepare")]


def test_a_stack_shows_that_training_has_begun_and_ends_the_search() -> None:
    phases = Phases(100.0)

    phases.observe([thread(BACKWARD)], 105.0, frozenset())
    phases.observe([thread(PREPARE)], 106.0, frozenset())

    assert short(phases.all) == [("training begins", None, 5.0)]
    assert phases.training_has_begun
    assert has_begun_training(phases.all)


def test_stacks_of_a_process_that_times_itself_only_close_what_two_looks_miss() -> None:
    phases = told(event("phase", "prepare", 101.0, file=PREPARE.file, line=1380))
    own = frozenset((7,))

    phases.observe([thread(PREPARE)], 105.0, own)
    phases.observe([thread(BACKWARD)], 106.0, own)
    once = short(phases.all)
    phases.observe([thread()], 107.0, own)

    assert once == [("prepare", 1.0, None)]
    assert [(p.name, p.ended, p.failed) for p in phases.all] == [("prepare", 7.0, True)]


def test_who_times_itself_is_told_by_version_and_notes() -> None:
    flights = (
        Flight(parent=0, began=0.0, pid=1, version="3.11.7"),
        Flight(parent=0, began=0.0, pid=2, version="3.12.1"),
        Flight(
            parent=0,
            began=0.0,
            pid=3,
            version="3.13.0",
            notes=("phases come from stacks only: ...",),
        ),
        Flight(parent=0, began=0.0, pid=4, version=""),
    )

    assert timed(flights) == {2}


def test_the_table_names_each_function_once() -> None:
    table = Path(__file__).parents[3] / "hangbisect" / "probe" / "milestones.txt"
    rows = [row.split("|") for row in table.read_text("ascii").splitlines() if row[:1] not in "#"]

    assert {len(row) for row in rows} == {5}
    assert {word for row in rows for word in row[1].split()} <= {
        "begin",
        "end",
        "begin+end",
        "first",
        "later",
        "true",
    }
    functions = [(row[2], row[3]) for row in rows]
    assert len(functions) == len(set(functions))
