"""Each row of the table of milestones names a function of what is installed."""

import sys
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest

from hangbisect.probe import milestones
from hangbisect.probe.milestones import Milestone

FOLDER = Path(milestones.__file__).parent
ROWS = [row for rows in milestones.rows(str(FOLDER)).values() for row in rows]
PACKAGES = defaultdict(list)
for _row in ROWS:
    PACKAGES[Milestone(_row).module.partition(".")[0]].append(_row)

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 11), reason="code has qualified names from Python 3.11 on"
)


def source_of(module: str) -> Path | None:
    """Find a module's source without running anything."""
    top, *rest = module.split(".")
    spec = find_spec(top)
    if spec is None or spec.origin is None:
        return None
    if not spec.submodule_search_locations:
        return Path(spec.origin)
    path = Path(spec.submodule_search_locations[0], *rest)
    found = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in found if file.is_file()), None)


def exists(milestone: Milestone) -> bool:
    file = source_of(milestone.module)
    if file is None:
        return False
    code = compile(file.read_bytes(), str(file), "exec", dont_inherit=True)
    return bool(list(milestones.functions(code, frozenset((milestone.name,)))))


def is_of_another_version(row: str) -> bool:
    """A note that begins with "before" names the version in which the function went away."""
    return row.split("|")[4].startswith("before ")


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("package", PACKAGES)
def test_each_row_of_a_package_names_a_function_of_it(package: str) -> None:
    rows = PACKAGES[package]
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed: {len(rows)} rows not checked")

    missing = [row for row in rows if not exists(Milestone(row)) and not is_of_another_version(row)]

    assert missing == []


def test_a_row_that_names_nothing_is_found() -> None:
    assert not exists(Milestone("config loaded|end|json|no_such_function|"))
    assert not exists(Milestone("config loaded|end|json.no_such_module|load|"))
    assert exists(Milestone("config loaded|end|json|load|"))
