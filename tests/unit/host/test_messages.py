"""Descriptors in messages that nobody has received: who tells of them, who does not."""

import sys
from pathlib import Path

import pytest

from hangbisect.host.fdinfo import parse_fdinfo
from hangbisect.host.holders import Wanted, scan
from hangbisect.host.messages import suspects
from hangbisect.host.proc import Proc

if sys.platform == "win32":
    pytest.skip("/proc is Linux's", allow_module_level=True)


def socket(root: Path, pid: int, fd: int, inode: int, told: str) -> None:
    for folder in ("fd", "fdinfo"):
        (root / str(pid) / folder).mkdir(parents=True, exist_ok=True)
    (root / str(pid) / "fd" / str(fd)).symlink_to(f"socket:[{inode}]")
    (root / str(pid) / "fdinfo" / str(fd)).write_text(f"flags:\t02\nmnt_id:\t9\n{told}")


@pytest.mark.parametrize(
    ("text", "count"),
    [("scm_fds: 2\n", 2), ("scm_fds: 0\n", 0), ("", None)],
    ids=["two", "none", "an older kernel, or no Unix socket"],
)
def test_a_unix_socket_counts_the_descriptors_in_its_messages(text: str, count: int | None) -> None:
    assert parse_fdinfo(f"flags:\t02\n{text}").in_flight == count


def test_a_socket_of_a_stranger_in_which_descriptors_lie_is_found(tmp_path: Path) -> None:
    socket(tmp_path, 50, 3, 700, "scm_fds: 1\n")
    socket(tmp_path, 50, 4, 701, "scm_fds: 0\n")
    socket(tmp_path, 51, 3, 702, "")

    found = scan(Proc(str(tmp_path)), Wanted(messages=True), leave_out=())

    rows = [each.descriptor for each in found.holdings]
    assert [(row.pid, row.fd, row.inode, row.in_flight) for row in rows] == [(50, 3, 700, 1)]
    assert found.told == {"socket:[700]", "socket:[701]"}


QUEUES = {7: 1, 8: 1, 9: 0}


@pytest.mark.parametrize(
    ("queues", "told", "hidden", "expected"),
    [
        pytest.param(QUEUES, {"socket:[7]"}, True, (8,), id="what lies there and is not counted"),
        pytest.param(QUEUES, {"socket:[7]", "socket:[8]"}, True, (), id="all is counted"),
        pytest.param(None, {"socket:[5]"}, False, (6,), id="no queues: own ones that do not tell"),
        pytest.param(None, {"socket:[5]"}, True, (5, 6), id="no queues, and somebody is hidden"),
    ],
)
def test_a_socket_is_suspected_where_nothing_tells_what_lies_in_it(
    queues: dict[int, int] | None, told: set[str], hidden: bool, expected: tuple[int, ...]
) -> None:
    assert suspects(queues, (5, 6), told, hidden=hidden) == expected
