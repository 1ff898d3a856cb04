"""Control groups that are frozen."""

from pathlib import Path

import pytest

from hangbisect.host.frozen import is_frozen
from hangbisect.host.proc import Proc


@pytest.mark.parametrize(
    ("line", "file", "text", "answer"),
    [
        pytest.param("0::/job", "job/cgroup.events", "populated 1\nfrozen 1\n", True, id="frozen"),
        pytest.param("0::/job", "job/cgroup.events", "populated 1\nfrozen 0\n", False, id="not"),
        pytest.param("0::/job", "other/cgroup.events", "frozen 1\n", False, id="another group"),
        pytest.param("6:freezer:/job", "freezer/job/freezer.state", "FROZEN\n", True, id="old"),
        pytest.param(
            "6:freezer:/job", "freezer/job/freezer.state", "THAWED\n", False, id="old not"
        ),
    ],
)
def test_a_frozen_group_is_known(
    tmp_path: Path, line: str, file: str, text: str, answer: bool
) -> None:
    (tmp_path / "5").mkdir()
    (tmp_path / "5" / "cgroup").write_text(f"3:cpu:/\n{line}\n")
    (tmp_path / "groups" / file).parent.mkdir(parents=True)
    (tmp_path / "groups" / file).write_text(text)

    assert is_frozen(Proc(str(tmp_path)), 5, tmp_path / "groups") is answer
