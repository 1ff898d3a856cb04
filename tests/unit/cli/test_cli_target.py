"""What may be run, and what is said about what may not."""

import re
import zipfile
from pathlib import Path

import pytest

from hangbisect.cli._target import check, folder_of, is_runnable
from hangbisect.errors import HangbisectError, TargetError, UsageError


def nowhere(_: str) -> None:
    return None


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "run.py").write_text("print(1)\n")
    (tmp_path / "latin.py").write_bytes(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n")
    (tmp_path / "tool").write_text("#!/usr/bin/env python3\n")
    (tmp_path / "long").write_text("#!/bin/sh\n'''exec' \"/long/python\" \"$0\" \"$@\"\n' '''\n")
    (tmp_path / "launch.sh").write_text("#!/bin/bash\npython run.py\n")
    (tmp_path / "elf").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(64))
    (tmp_path / "null.py").write_bytes(b"x = 1\0\n")
    (tmp_path / "cached.pyc").write_bytes(b"\xa7\r\r\n\0\0\0\0")
    (tmp_path / "empty").mkdir()
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__main__.py").touch()
    with zipfile.ZipFile(tmp_path / "app.pyz", "w") as archive:
        archive.writestr("__main__.py", "print(1)")
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.writestr("data.txt", "1")
    return tmp_path


@pytest.mark.parametrize(
    "target",
    [
        "run.py --x",
        "latin.py",
        "tool",
        "long",
        "cached.pyc",
        "app",
        "app.pyz",
        "-m mod",
        "-mmod",
        "-c 1",
        "-",
    ],
)
def test_what_python_can_run_is_accepted(target: str, here: Path) -> None:
    check(tuple(target.split()), str(here), nowhere)


@pytest.mark.parametrize(
    ("target", "says", "advice"),
    [
        ("", "there is nothing to run", "hangbisect run [options] script.py"),
        ("none.py", "there is no script none.py", "script.py"),
        ("empty", "without a __main__.py", "-m PACKAGE"),
        ("data.zip", "an archive without a __main__.py", ""),
        ("null.py", "not Python: it holds null bytes", ""),
        ("elf", "is a program, not a Python script", "hangbisect exec -- "),
        ("launch.sh", "is a script for /bin/bash", "hangbisect exec -- "),
        ("-m", "-m needs a module", ""),
        ("-c", "-c needs a code", ""),
        (
            "torchrun --nproc 2 x.py",
            "torchrun",
            "`hangbisect run -m torch.distributed.run --nproc",
        ),
        (
            "accelerate launch x.py",
            "accelerate",
            "`hangbisect run -m accelerate.commands.launch x",
        ),
    ],
)
def test_wrong_targets_are_refused_with_advice(
    target: str, says: str, advice: str, here: Path
) -> None:
    with pytest.raises(HangbisectError, match=re.escape(says)) as caught:
        check(tuple(target.split()), str(here), nowhere)

    assert advice in caught.value.help
    assert caught.value.status == 2


@pytest.mark.parametrize(
    ("target", "advice"),
    [
        ("npm start", "`hangbisect exec -- npm "),
        ("python3 x.py", "`hangbisect run --python python3 x.py"),
    ],
)
def test_a_program_on_path_is_no_target(target: str, advice: str, here: Path) -> None:
    with pytest.raises(UsageError, match="is no script here, but a program") as caught:
        check(tuple(target.split()), str(here), lambda name: f"/usr/bin/{name}")

    assert advice in caught.value.help


def test_an_unreadable_script_is_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)

    with pytest.raises(TargetError, match=r"cannot read run\.py: Permission denied"):
        check(("run.py",), str(here), nowhere)


@pytest.mark.parametrize(("name", "answer"), [("run.py", True), ("app", True), ("empty", False)])
def test_only_what_could_be_run_makes_a_verb_unclear(name: str, answer: bool, here: Path) -> None:
    assert is_runnable(name, str(here)) is answer


@pytest.mark.parametrize(
    ("target", "folder"),
    [("run.py", ""), ("app", "app"), ("app/__main__.py", "app"), ("-m mod", ""), ("-", "")],
)
def test_environments_are_looked_for_beside_the_target(
    target: str, folder: str, here: Path
) -> None:
    assert folder_of(tuple(target.split()), str(here)) == here / folder
