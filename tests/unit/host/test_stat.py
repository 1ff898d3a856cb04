"""/proc/PID/stat and status as text."""

from hangbisect.host.stat import Stat, Status, count_timers, parse_stat, parse_status

LINE = (
    "4711 (a ) b (c) S 4700 4711 4600 34816 4650 4194304 120 0 3 0 55 7 0 0 20 0 2 0 98765 "
    "1000 200 18446744073709551615 1 1 0 0 0 0 0 16781312 2 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 256"
)
STATUS = """Name:\tpython
State:\tS (sleeping)
Tgid:\t4711
NSpid:\t4711\t12
TracerPid:\t99
SigPnd:\t0000000000000001
ShdPnd:\t0000000000000002
SigBlk:\t0000000000000004
SigIgn:\t0000000001001000
SigCgt:\t0000000000000002
voluntary_ctxt_switches:\t42
"""


def test_a_command_with_spaces_and_parentheses_is_kept_whole() -> None:
    stat = parse_stat(LINE)

    assert stat == Stat(
        command="a ) b (c",
        state="S",
        parent=4700,
        group=4711,
        session=4600,
        terminal=34816,
        foreground=4650,
        minor_faults=120,
        major_faults=3,
        user=55,
        system=7,
        began=98765,
        exit_status=256,
    )


def test_a_torn_line_is_nothing() -> None:
    assert [parse_stat(text) for text in ("", "4711 (pyth", "4711 (python) S 1 2")] == [None] * 3


def test_status_gives_masks_tracer_and_the_id_within_the_namespace() -> None:
    assert parse_status(STATUS) == Status(
        state="S",
        tracer=99,
        switches=42,
        blocked=4,
        pending=3,
        ignored=0x1001000,
        caught=2,
        inner=12,
    )


def test_an_empty_status_keeps_its_defaults() -> None:
    assert parse_status("") == Status()


TIMERS = """\
ID: 0
signal: 14/0000000000000000
notify: signal/pid.4711
ClockID: 1
ID: 1
signal: 14/0000000000000000
notify: none/pid.4711
ClockID: 0
ID: 2
signal: 32/00007f1122334455
notify: signal/tid.4712
ClockID: 1
"""


def test_timers_that_send_a_signal_are_counted() -> None:
    assert (count_timers(TIMERS), count_timers("")) == (2, 0)
