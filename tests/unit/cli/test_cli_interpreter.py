"""Which Python runs the target, and why."""

import msgspec
import pytest

from hangbisect.cli._interpreter import Choice, Places, check_version, choose
from hangbisect.errors import UsageError

PLACES = Places(
    own="/tool/bin/python",
    own_prefix="/tool",
    own_is_shared=False,
    executables={"/job/.venv": "/job/.venv/bin/python", "/env": "/env/bin/python"},
    on_path="/usr/bin/python",
)


def chosen(option: str | None = None, **facts: object) -> tuple[str, str]:
    choice = choose(option, msgspec.structs.replace(PLACES, **facts))
    return " ".join(choice.argv), choice.reason


@pytest.mark.parametrize(
    ("facts", "python", "reason"),
    [
        (
            {"activated": ("/tool",), "beside": ("/job/.venv",)},
            "/tool/bin/python",
            "hangbisect lives in the activated environment",
        ),
        (
            {"beside": ("/tool",), "activated": ("/env",)},
            "/tool/bin/python",
            "hangbisect lives in the environment beside the script",
        ),
        (
            {"beside": ("/job/.venv",), "activated": ("/env",), "own_is_shared": True},
            "/job/.venv/bin/python",
            "the environment beside the script",
        ),
        (
            {"activated": ("/env",), "own_is_shared": True},
            "/env/bin/python",
            "the environment that is activated",
        ),
        (
            {"beside": ("/broken",), "own_is_shared": True},
            "/tool/bin/python",
            "the environment that hangbisect is installed in",
        ),
        ({}, "/usr/bin/python", "python on PATH"),
        ({"on_path": ""}, "/tool/bin/python", "hangbisect's own, for want of another"),
    ],
    ids=["own active", "own beside", "beside", "activated", "shared", "path", "last"],
)
def test_the_nearest_python_is_chosen(facts: dict[str, object], python: str, reason: str) -> None:
    assert chosen(**facts) == (python, reason)


def test_what_is_asked_for_wins_and_may_carry_options() -> None:
    choice = choose("'/a b/python' -X dev", msgspec.structs.replace(PLACES, activated=("/tool",)))

    assert choice == Choice(argv=("/a b/python", "-X", "dev"), reason="--python")


@pytest.mark.parametrize("option", ["", " ", "'open"])
def test_an_empty_or_broken_option_is_refused(option: str) -> None:
    with pytest.raises(UsageError, match="--python"):
        choose(option, PLACES)


@pytest.mark.parametrize("answer", ["3.8", "3.13", "4.0"])
def test_a_python_that_can_be_followed_is_accepted(answer: str) -> None:
    check_version("python", answer)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("2.7", "is Python 2.7, which is too old"),
        ("3.7", "too old"),
        ("", "not a Python"),
        ("x.y", "not a"),
    ],
)
def test_another_one_is_refused(answer: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        check_version("python", answer)
