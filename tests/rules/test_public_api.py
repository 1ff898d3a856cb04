"""The names that people may import, no more and no fewer."""

import subprocess
import sys

import hangbisect


def test_the_public_names_are_these() -> None:
    names = ("attach", "diagnose", "explain", "load", "render", "run", "save")

    assert set(names) <= set(hangbisect.__all__)
    assert all(callable(getattr(hangbisect, name)) for name in names)


def test_each_public_name_exists_and_says_what_it_is() -> None:
    named = {name: getattr(hangbisect, name) for name in hangbisect.__all__}

    assert [n for n, value in named.items() if callable(value) and not value.__doc__] == []


def test_a_plain_import_loads_no_stack_reader_and_no_command_line() -> None:
    program = "import sys, hangbisect; print(*{'pystack', 'click', 'rich'} & set(sys.modules))"

    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True
    )

    assert loaded.stdout.split() == []
