"""Write the pages of all causes: `python -m hangbisect.causes._docs [--check] docs/causes`.

With `--check` nothing is written; the exit status is 1 if the folder differs from the docstrings.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from hangbisect.causes._rule import Rule, all_rules, page

INDEX = "README.md"


def pages() -> dict[str, str]:
    """Return the text of each page by its file name, the index included."""
    rules = all_rules()
    return {INDEX: _index(rules), **{f"{rule.name}.md": page(rule) for rule in rules}}


def write(folder: Path) -> None:
    """Write the pages, and remove those of causes that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for old in folder.glob("*.md"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, encoding="utf-8")


def differing(folder: Path) -> tuple[str, ...]:
    """Name the files of the folder that are not what the docstrings say."""
    wanted = pages()
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return tuple(sorted(n for n in wanted | found if wanted.get(n) != found.get(n)))


def _index(rules: tuple[Rule, ...]) -> str:
    lines = [f"- [{rule.code} {rule.name}]({rule.name}.md): {_first_line(rule)}" for rule in rules]
    head = "# Causes\n\nGenerated from the docstrings of hangbisect/causes by `make docs`.\n\n"
    return head + "\n".join(lines) + "\n"


def _first_line(rule: Rule) -> str:
    return page(rule).split("\n")[2]


def main(arguments: Sequence[str]) -> int:
    """Write or check the pages, and return the exit status."""
    check, folder = "--check" in arguments, Path(arguments[-1])
    if not check:
        write(folder)
        return 0
    wrong = differing(folder)
    if wrong:
        sys.stderr.write(f"not in step with the docstrings: {', '.join(wrong)} (make docs)\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
