"""Python's own target grammar, behind our options."""

import pytest

from hangbisect.cli._grammar import split
from hangbisect.cli._group import with_verb
from hangbisect.errors import UsageError

WITH_VALUE = frozenset({"--notice", "-o", "--output", "--python"})
VERBS = ["attach", "run", "show"]


@pytest.mark.parametrize(
    ("line", "ours", "target"),
    [
        ("run.py", "", "run.py"),
        ("run.py --help -v -- x", "", "run.py --help -v -- x"),
        ("-v run.py -v", "-v", "run.py -v"),
        ("--notice 3 run.py 3", "--notice 3", "run.py 3"),
        ("--notice=3 run.py", "--notice=3", "run.py"),
        ("-o out.json -v -m mod -o x", "-o out.json -v", "-m mod -o x"),
        ("-mmod --help", "", "-mmod --help"),
        ("-c pass --notice 3", "", "-c pass --notice 3"),
        ("-v -- -m mod", "-v", "-m mod"),
        ("-- --odd-name.py", "", "--odd-name.py"),
        ("-- -- x", "", "-- x"),
        ("- arg", "", "- arg"),
        ("--python -m run.py", "--python -m", "run.py"),
        ("-v", "-v", ""),
        ("--", "", ""),
    ],
)
def test_what_stands_from_the_target_on_is_the_targets(line: str, ours: str, target: str) -> None:
    assert split(line.split(), WITH_VALUE) == (ours.split(), tuple(target.split()))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("run.py show", "run run.py show"),
        ("--notice 3 run.py", "run --notice 3 run.py"),
        ("-m mod", "run -m mod"),
        ("-- run.py", "run -- run.py"),
        ("run run.py", "run run.py"),
        ("show file", "show file"),
        ("--help", "--help"),
        ("--version", "--version"),
        ("--command show file", "show file"),
        ("", ""),
    ],
)
def test_run_may_be_left_out(line: str, meant: str) -> None:
    assert with_verb(line.split(), VERBS, lambda _: False) == meant.split()


def test_a_file_of_a_verbs_name_makes_it_unclear_and_both_spellings_are_named() -> None:
    with pytest.raises(UsageError, match="`show` is a command of hangbisect and also") as caught:
        with_verb(["show", "x"], VERBS, lambda name: name == "show")

    assert "`hangbisect run ./show x`" in caught.value.help
    assert "`hangbisect --command show x`" in caught.value.help


def test_a_path_is_never_unclear() -> None:
    assert with_verb(["./show"], VERBS, lambda _: True) == ["run", "./show"]
