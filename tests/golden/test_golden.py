"""Diagnoses of each kind in each format: `pytest tests/golden --update-golden` writes them."""

import json
from pathlib import Path

import jsonschema
import pytest

from hangbisect.model import codec
from hangbisect.report import Style, formats, render
from hangbisect.report.json import schema
from tests.golden.samples import SAMPLES

HERE = Path(__file__).parent / "files"
STYLES = {"": Style(), ".ascii": Style(ascii=True), ".colour": Style(colour=True)}
CASES = [
    (name, kind, style)
    for name in SAMPLES
    for kind in formats()
    for style in (STYLES if kind == "terminal" else [""])
]


@pytest.mark.parametrize(("name", "kind", "style"), CASES)
def test_the_report_is_the_golden_one(
    name: str, kind: str, style: str, request: pytest.FixtureRequest
) -> None:
    golden = HERE / f"{name}{style}.{'txt' if kind == 'terminal' else kind}"

    text = render(SAMPLES[name], kind, STYLES[style])

    if request.config.getoption("--update-golden"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SAMPLES)
def test_every_json_report_validates_against_the_published_schema(name: str) -> None:
    validator = jsonschema.Draft202012Validator(schema())

    report = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))

    assert list(validator.iter_errors(report)) == []


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("name", SAMPLES)
def test_a_saved_diagnosis_gives_the_same_report(name: str) -> None:
    again = codec.decode(codec.encode(SAMPLES[name]))

    assert again == SAMPLES[name]


def test_every_golden_file_belongs_to_a_sample() -> None:
    names = {path.name.split(".")[0] for path in HERE.iterdir()}

    assert names == set(SAMPLES)
