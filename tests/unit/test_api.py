"""The package's own names: each is there, is typed, and costs nothing before it is used."""

import sys

import pytest

import hangbisect
from hangbisect import session


def test_the_functions_are_those_of_the_session() -> None:
    names = ("run", "attach", "diagnose", "render", "load", "save", "explain")

    assert [getattr(hangbisect, n) for n in names] == [getattr(session, n) for n in names]


def test_what_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        hangbisect.frobnicate  # noqa: B018


def test_a_star_import_gives_all_that_is_public() -> None:
    names: dict[str, object] = {}

    exec("from hangbisect import *", names)

    assert set(hangbisect.__all__) <= names.keys()


def test_a_request_needs_no_more_than_a_command() -> None:
    request = hangbisect.RunRequest(argv=(sys.executable, "run.py"))

    assert (request.patience, request.on_hang) == (300.0, "proved")
    assert request.cwd
    assert request.environment


def test_a_cause_is_explained_by_its_code() -> None:
    assert hangbisect.explain("HB103").startswith("# HB103 never-signalled\n")
