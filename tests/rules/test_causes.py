"""What every cause must have: its file's name, a code of its own, a page, and snapshots."""

import re
from pathlib import Path
from types import ModuleType

import pytest

import hangbisect.causes
from hangbisect.causes import all_rules, explain
from hangbisect.causes._docs import differing
from hangbisect.causes._rule import HEADINGS, page, rule_of
from hangbisect.discover import modules_in
from hangbisect.errors import UsageError

ROOT = Path(__file__).parents[2]
MODULES = tuple(modules_in(hangbisect.causes))
LONGEST = 98


def _short(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def test_no_code_is_used_twice() -> None:
    codes = [rule.code for rule in all_rules()]

    assert codes == sorted(set(codes))


@pytest.mark.parametrize("module", MODULES, ids=_short)
def test_a_file_is_named_after_its_cause(module: ModuleType) -> None:
    rule = rule_of(module)

    assert _short(module) == rule.name.replace("-", "_")
    assert re.fullmatch(r"HB\d{3}", rule.code)
    assert 0 <= rule.specificity <= 100


@pytest.mark.parametrize("module", MODULES, ids=_short)
def test_a_page_has_all_headings_in_order(module: ModuleType) -> None:
    text = page(rule_of(module))

    headings = tuple(re.findall(r"^## (.+)$", text, re.M))

    assert headings == HEADINGS
    assert all(re.search(rf"^## {h}\n\n\S", text, re.M) for h in HEADINGS)
    assert max(map(len, text.splitlines())) <= LONGEST


@pytest.mark.parametrize("module", MODULES, ids=_short)
def test_a_cause_has_a_snapshot_that_is_it_and_one_that_is_almost_it(module: ModuleType) -> None:
    folder = ROOT / "tests" / "causes" / _short(module)

    assert list(folder.glob("found-*.json"))
    assert list(folder.glob("not_found-*.json"))


def test_every_folder_of_snapshots_belongs_to_a_cause() -> None:
    names = {_short(module) for module in MODULES}

    folders = {p.name for p in (ROOT / "tests" / "causes").iterdir() if list(p.glob("*.json"))}

    assert folders == names


def test_the_pages_are_in_step_with_the_docstrings() -> None:
    assert differing(ROOT / "docs" / "causes") == ()


def test_a_cause_is_explained_by_code_or_by_name() -> None:
    assert explain("hb401") == explain("stale-lock-file")
    assert explain("HB401").startswith("# HB401 stale-lock-file\n")


def test_an_unknown_cause_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        explain("HB000")

    assert "HB401 stale-lock-file" in caught.value.help
