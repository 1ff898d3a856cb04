import signal

import pytest

from hangbisect.watch.happenings import Exited, signal_name
from hangbisect.watch.signals import Received, handling


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        (0, (0, None, False)),
        (7 << 8, (7, None, False)),
        (255 << 8, (255, None, False)),
        (signal.SIGKILL, (None, "SIGKILL", False)),
        (signal.SIGSEGV | 0x80, (None, "SIGSEGV", True)),
    ],
)
def test_a_wait_status_is_a_code_or_a_signal(
    status: int, meaning: tuple[int | None, str | None, bool]
) -> None:
    exited = Exited(pid=1, status=status)

    assert (exited.code, exited.signal, exited.core) == meaning


def test_a_signal_without_a_name_has_a_number() -> None:
    assert signal_name(40) == "signal 40"


@pytest.mark.parametrize(
    ("number", "by_terminal", "expected"),
    [
        (signal.SIGINT, True, "leave"),
        (signal.SIGQUIT, True, "leave"),
        (signal.SIGHUP, True, "leave"),
        (signal.SIGINT, False, "ask"),
        (signal.SIGUSR1, False, "ask"),
        (signal.SIGTERM, False, "forward"),
        (signal.SIGHUP, False, "forward"),
    ],
)
def test_what_the_kernel_sent_is_left_and_the_rest_forwarded(
    number: int, by_terminal: bool, expected: str
) -> None:
    received = Received(signal=number, sender=0, by_terminal=by_terminal)

    assert handling(received) == expected
