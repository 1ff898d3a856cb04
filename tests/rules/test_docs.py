"""What the pages say exists does exist."""

import re

import pytest

from tests.rules._tracked import ROOT, texts

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
TARGET = re.compile(r"`make ([a-z-]+)`")
RULE = re.compile(r"^([a-z-]+):", re.MULTILINE)


def pages() -> dict[str, str]:
    """Return the text of each page."""
    return {name: text for name, text in texts().items() if name.endswith(".md")}


def test_each_link_between_pages_leads_somewhere() -> None:
    dead = []
    for name, text in pages().items():
        for link in LINK.findall(text):
            if "://" not in link and not ((ROOT / name).parent / link).exists():
                dead.append(f"{name}: {link}")

    assert dead == []


def test_each_make_command_that_a_page_names_is_in_the_makefile() -> None:
    rules = set(RULE.findall((ROOT / "Makefile").read_text(encoding="utf-8")))

    unknown = [(name, t) for name, text in pages().items() for t in TARGET.findall(text)]

    assert [(name, target) for name, target in unknown if target not in rules] == []


@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_the_readme_gives_the_two_commands(command: str) -> None:
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def test_each_fixture_has_a_row_in_their_table() -> None:
    table = (ROOT / "fixtures" / "README.md").read_text(encoding="utf-8")
    scripts = [name for name in texts() if re.fullmatch(r"fixtures/.*/run\.py", name)]

    folders = [name.removeprefix("fixtures/").removesuffix("/run.py") for name in scripts]

    assert [folder for folder in folders if not re.search(rf"`{folder}[`/]", table)] == []
