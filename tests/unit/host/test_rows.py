"""What rows say of processes: names of terminals, signals and Pythons; io; ids of namespaces."""

import pytest

from hangbisect.host.line import Line
from hangbisect.host.rows import Glance, python_version, signal_name, terminal_name
from hangbisect.host.sampling import parse_io
from hangbisect.host.scene import outer_ids, with_outer_ids
from hangbisect.model import Call, Thread, Word


@pytest.mark.parametrize(
    ("paths", "version"),
    [
        pytest.param(("/lib/libpython3.11.so.1.0",), "3.11", id="library"),
        pytest.param(("/usr/bin/python3.8",), "3.8", id="program"),
        pytest.param(
            ("/usr/bin/python3", "/x/_a.cpython-313-x86_64-linux-gnu.so"), "3.13", id="extension"
        ),
        pytest.param(("/usr/bin/python3.13t (deleted)",), "3.13", id="free-threaded, replaced"),
        pytest.param(("/usr/bin/bash", "/lib/libc.so.6"), "", id="no Python"),
        pytest.param(("/usr/bin/python3-config",), "", id="only named like it"),
    ],
)
def test_a_python_is_told_by_its_files(paths: tuple[str, ...], version: str) -> None:
    assert python_version(paths) == version


@pytest.mark.parametrize(
    ("number", "name"),
    [
        pytest.param(0, "", id="none"),
        pytest.param(34816, "/dev/pts/0", id="first"),
        pytest.param(34823, "/dev/pts/7", id="eighth"),
        pytest.param(1025, "/dev/tty1", id="console"),
        pytest.param(1088, "/dev/ttyS0", id="serial line"),
    ],
)
def test_a_terminal_has_a_name(number: int, name: str) -> None:
    assert terminal_name(number) == name


def test_a_signal_has_a_name_or_its_number() -> None:
    assert (signal_name(9), signal_name(1000)) == ("SIGKILL", "1000")


def test_io_is_read() -> None:
    assert parse_io("rchar: 10\nwchar: 20\nread_bytes: 30\n") == {
        "rchar": 10,
        "wchar": 20,
        "read_bytes": 30,
    }


def glance(inner: int, outer: int) -> Glance:
    row = Thread(pid=outer, tid=outer)
    return Glance(pid=outer, tid=outer, line=Line(name=""), inner=inner, row=row)


def test_ids_of_another_namespace_become_ours() -> None:
    ids = outer_ids([glance(1, 1001), glance(7, 1007)])
    word = Word(address=1, expected=2, private=True, owner=1, joins=7)

    call = with_outer_ids(Call(name="wait4", child=7, word=word), ids)

    assert call.child == 1007
    assert call.word is not None
    assert (call.word.owner, call.word.joins) == (1001, 1007)


def test_ids_of_our_own_namespace_stay() -> None:
    assert outer_ids([glance(5, 5)]) == {}
