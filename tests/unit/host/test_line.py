"""A line of /proc/PID/task/TID/syscall."""

import pytest

from hangbisect.host.call_names import names_of
from hangbisect.host.line import Line, first_call, parse_line
from hangbisect.model import Call

X86 = names_of("x86_64")
ARM = names_of("aarch64")


def line(number: int, *arguments: int, stack: int = 0x7FFC0000) -> str:
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    return " ".join([str(number), *(hex(each) for each in (*padded, stack | 1 << 40, 0x7F))])


def test_the_tables_agree_with_the_kernel_on_well_known_numbers() -> None:
    assert {X86[202], X86[281], X86[334], X86[435], X86[449]} == {
        *("futex", "epoll_pwait", "rseq", "clone3", "futex_waitv")
    }
    assert {ARM[98], ARM[22], ARM[260], ARM[293], ARM[435]} == {
        *("futex", "epoll_pwait", "wait4", "rseq", "clone3")
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        pytest.param("running\n", "running", id="on a processor"),
        pytest.param("-1 0x7ffd12345678 0x7f1234567890", "running", id="in no call, page fault"),
        pytest.param("", "", id="hidden"),
        pytest.param("0", "", id="hidden by a container"),
        pytest.param("240 0x1 0x2 0x3 0x4 0x5 0x6 0xffffd000 0xf7f00000", "", id="32-bit program"),
        pytest.param(line(202, 1), "futex", id="known"),
        pytest.param(line(9999, 1), "call_9999", id="a call of the future"),
    ],
)
def test_a_line_names_the_call(text: str, name: str) -> None:
    assert parse_line(text, X86).name == name


def call(name: str, *arguments: int) -> Call:
    return first_call(Line(name=name, arguments=(*arguments, 0, 0, 0, 0, 0, 0)[:6]))


@pytest.mark.parametrize(
    ("seen", "descriptors", "writes"),
    [
        pytest.param(call("read", 3, 1, 2), (3,), False, id="read"),
        pytest.param(call("write", 1, 1, 2), (1,), True, id="write"),
        pytest.param(call("sendfile", 5, 6), (6, 5), False, id="sendfile moves from one to other"),
        pytest.param(call("connect", 4, 1, 16), (4,), True, id="connect"),
        pytest.param(call("flock", 7, 2), (7,), False, id="flock"),
        pytest.param(call("futex", 7, 2), (), False, id="futex"),
    ],
)
def test_a_call_names_its_descriptors(
    seen: Call, descriptors: tuple[int, ...], writes: bool
) -> None:
    assert (seen.descriptors, seen.writes) == (descriptors, writes)


@pytest.mark.parametrize(
    ("seen", "child"),
    [
        pytest.param(call("wait4", 4711), 4711, id="one child"),
        pytest.param(call("wait4", 0xFFFFFFFF), -1, id="any child"),
        pytest.param(call("waitid", 0, 0), -1, id="waitid any"),
        pytest.param(call("waitid", 1, 4711), 4711, id="waitid one"),
        pytest.param(call("waitid", 2, 4700), -4700, id="waitid group"),
        pytest.param(call("read", 4711), None, id="no wait for a child"),
    ],
)
def test_a_wait_names_the_child(seen: Call, child: int | None) -> None:
    assert seen.child == child


@pytest.mark.parametrize(
    ("seen", "timed", "interval"),
    [
        pytest.param(call("poll", 1, 1, 1500), True, 1.5, id="poll"),
        pytest.param(call("poll", 1, 1, 0xFFFFFFFF), False, None, id="poll for ever"),
        pytest.param(call("epoll_wait", 3, 1, 1, 2000), True, 2.0, id="epoll"),
        pytest.param(call("select", 3, 1, 0, 0, 0), False, None, id="select for ever"),
        pytest.param(call("select", 3, 1, 0, 0, 9), True, None, id="select, limit unread"),
        pytest.param(call("restart_syscall"), True, None, id="restarted"),
        pytest.param(call("pause"), False, None, id="pause"),
    ],
)
def test_a_plain_time_limit_is_seen(seen: Call, timed: bool, interval: float | None) -> None:
    assert (seen.timed, seen.interval) == (timed, interval)
