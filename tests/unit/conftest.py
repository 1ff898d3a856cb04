"""Unit tests are pure: no process is started, nothing sleeps."""

import subprocess
import time
from typing import NoReturn

import pytest


@pytest.fixture(autouse=True)
def nothing_starts_and_nothing_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a started process or a sleep a failure that says where it belongs."""

    def refuse(*arguments: object, **options: object) -> NoReturn:
        raise AssertionError("a unit test neither starts a process nor sleeps: see tests/process")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(time, "sleep", refuse)
