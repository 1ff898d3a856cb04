"""The same words for the same things."""

import pytest

from hangbisect.model import Diagnosis, ProcessNote, Step, Target, ThreadRef
from hangbisect.report._wording import clean, command, done, duration, path, thread


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


@pytest.mark.parametrize(
    ("kind", "name", "line", "said"),
    [
        ("statement", "", 5, "run.py:5"),
        ("statement", "x = 1", 5, "x = 1 at run.py:5"),
        ("import", "torch", 3, "import torch at run.py:3"),
        ("statement", "", 0, "run.py"),
    ],
)
def test_a_step_without_a_text_is_said_by_its_place(
    kind: str, name: str, line: int, said: str
) -> None:
    step = Step(pid=7, kind=kind, name=name, file="/srv/job/run.py", line=line)  # type: ignore[arg-type]

    assert done(step, "/srv/job") == said


@pytest.mark.parametrize(
    ("pid", "tid", "said"),
    [
        (7, 7, "main thread"),
        (7, 9, "thread 9"),
        (8, 8, "main thread of process 8 (python run.py)"),
        (8, 10, "thread 10 of process 8 (python run.py)"),
        (8, 0, "process 8 (python run.py)"),
    ],
)
def test_a_thread_of_another_process_than_the_target_names_it(
    pid: int, tid: int, said: str
) -> None:
    diagnosis = Diagnosis(
        tool="hangbisect 0.1.0",
        verdict="hung",
        certainty="proved",
        elapsed=3.0,
        stalled_at=1.0,
        target=Target(argv=("python", "run.py"), pid=7, python="3.12", cwd="/srv/job"),
        step=Step(pid=8, kind="statement", name="q.get()", file="/srv/job/run.py", line=12),
        wait_chain=None,
        end="nobody",
        processes=(
            ProcessNote(
                pid=8,
                parent=7,
                role="",
                argv=("python", "run.py"),
                hooked=True,
                why_not_hooked=None,
                state="S",
                step=None,
            ),
        ),
    )

    assert thread(ThreadRef(pid=pid, tid=tid), diagnosis) == said
