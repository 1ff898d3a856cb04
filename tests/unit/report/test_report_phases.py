from hangbisect.model import Diagnosis, Phase, Target
from hangbisect.report import Style, render


def report(**changes: object) -> list[str]:
    diagnosis = Diagnosis(
        tool="hangbisect 1.2.3",
        verdict="hung",
        certainty="proved",
        elapsed=30.0,
        stalled_at=13.0,
        target=Target(argv=("python", "run.py"), pid=7, python="3.12.1", cwd="/srv"),
        step=None,
        wait_chain=None,
        end=None,
        **changes,  # type: ignore[arg-type]
    )
    lines = render(diagnosis, "terminal", Style()).splitlines()
    return [line.strip() for line in lines if "phase" in line]


def test_what_was_completed_last_and_what_is_in_progress_is_said() -> None:
    done = Phase(pid=7, name="arguments parsed", ended=12.0)
    current = Phase(pid=7, name="model loading", began=12.5)

    assert report(phase_completed=done, phase_in_progress=current) == [
        "last completed phase: arguments parsed, 12 s after the start",
        "phase in progress since 12 s after the start: model loading",
    ]


def test_a_time_that_was_only_seen_is_said_so() -> None:
    done = Phase(pid=7, name="data set", began=3.0, ended=5.0, source="stack")
    current = Phase(pid=7, name="prepare", began=6.0, source="stack")

    assert report(phase_completed=done, phase_in_progress=current) == [
        "last completed phase: data set, seen 5.0 s after the start",
        "phase in progress (seen from 6.0 s after the start on): prepare",
    ]


def test_nothing_is_said_of_a_start_without_known_phases() -> None:
    started = Phase(pid=7, name="script started", ended=0.2, source="record")

    assert report(phase_completed=started) == []
