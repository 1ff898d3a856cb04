"""The JSON report keeps to the published contract."""

import json

import jsonschema
import msgspec
import pytest
from hypothesis import Phase, given, settings

from hangbisect.model import Diagnosis, Exit, Step, Target
from hangbisect.report import Style, render
from hangbisect.report.json import document, schema
from tests.unit.model_strategies import of

VALIDATOR = jsonschema.Draft202012Validator(schema())
PLAIN = Diagnosis(
    tool="hangbisect 9.8.7",
    verdict="finished",
    certainty=None,
    elapsed=1.5,
    stalled_at=None,
    target=Target(argv=("python", "x.py"), pid=5, python="3.9.1", cwd="/srv"),
    step=None,
    wait_chain=None,
    end=None,
)


def report(**changes: object) -> dict[str, object]:
    diagnosis = msgspec.structs.replace(PLAIN, **changes)
    return json.loads(render(diagnosis, "json", Style()))


def test_all_keys_of_the_contract_are_there() -> None:
    assert report() == {
        "schema": 1,
        "tool": {"name": "hangbisect", "version": "9.8.7"},
        "verdict": "finished",
        "certainty": None,
        "elapsed": 1.5,
        "stalled_at": None,
        "watched_since": 0.0,
        "moving": [],
        "ended": False,
        "target": {
            "argv": ["python", "x.py"],
            "pid": 5,
            "python": "3.9.1",
            "cwd": "/srv",
            "exit": None,
            "interpreter": "",
            "interpreter_reason": "",
        },
        "step": None,
        "last_completed": None,
        "wait_chain": None,
        "end": None,
        "findings": [],
        "reproducer": None,
        "processes": [],
        "gaps": [],
        "system": None,
        "environment": {},
        "threads": [],
        "tail": [],
        "phases": [],
        "phase_completed": None,
        "phase_in_progress": None,
    }


@pytest.mark.parametrize(
    ("ending", "said"),
    [(Exit(code=0), {"code": 0}), (Exit(signal="SIGKILL"), {"signal": "SIGKILL"}), (None, None)],
)
def test_how_it_ended_has_one_key(ending: Exit | None, said: object) -> None:
    target = msgspec.structs.replace(PLAIN.target, exit=ending)

    assert report(target=target)["target"]["exit"] == said


def test_a_step_without_a_chain_is_a_chain_of_itself() -> None:
    step = Step(pid=5, kind="import", name="torch", file="/srv/x.py", line=1, began=0.5)

    said = report(step=step)["step"]

    assert said["started"] == 0.5
    assert said["chain"] == [
        {"kind": "import", "name": "torch", "file": "/srv/x.py", "line": 1, "started": 0.5}
    ]


@pytest.mark.parametrize("key", ["verdict", "target", "findings", "gaps"])
def test_the_schema_refuses_a_report_without(key: str) -> None:
    broken = report()
    del broken[key]

    assert not VALIDATOR.is_valid(broken)


def test_the_schema_lets_later_versions_add_keys() -> None:
    assert VALIDATOR.is_valid({**report(), "more": 1})


@settings(max_examples=30, phases=[Phase.generate])
@given(of(Diagnosis))
def test_any_diagnosis_gives_a_valid_report(diagnosis: Diagnosis) -> None:
    said = json.loads(msgspec.json.encode(document(diagnosis)))

    assert list(VALIDATOR.iter_errors(said)) == []
