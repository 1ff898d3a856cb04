"""The tutorial shows what its commands print."""

import shutil

import pytest

from tests.real.tutorial import ROOT, commands_of, normal, run

NEEDS = ("bash", "curl", "node")
LACKING = [name for name in NEEDS if not shutil.which(name)]

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(260),
    pytest.mark.xdist_group("torch"),
]


@pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)}")
def test_each_command_of_the_tutorial_prints_what_the_page_shows() -> None:
    commands = list(commands_of((ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")))

    printed = run([command for command, _ in commands])

    shown = [(command, normal(text)) for command, text in commands]
    found = [(c, normal(text)) for (c, _), text in zip(commands, printed, strict=True)]
    assert found == shown
