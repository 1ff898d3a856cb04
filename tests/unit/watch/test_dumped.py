"""The step of a crash is where the dump says, not where the record saw the last import."""

from hangbisect.model import Flight, Span
from hangbisect.watch.dumped import frames_of
from hangbisect.watch.endings import ending_of

DUMP = (
    "Fatal Python error: Segmentation fault",
    "",
    "Current thread 0x00007f77c55fcb80 [python] (most recent call first):",
    '  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at',
    '  File "/srv/m\\xf6\\u65e5.py", line 3 in gr\\xf6\\xdfe',
    '  File "/srv/m\\xf6\\u65e5.py", line 4 in <module>',
    '  File "<frozen importlib._bootstrap>", line 1176 in _find_and_load',
    '  File "/srv/run.py", line 9 in <module>',
    "",
    "Thread 0x00007f77c55fc000 (most recent call first):",
    '  File "/srv/other.py", line 1 in other',
)
IMPORT = Span(kind="import", name="mö日", file="/srv/run.py", line=9, tid=7, began=1.0)
ENTRY = Span(kind="statement", name="", file="/srv/run.py", line=1, tid=7, began=0.5)
FLIGHT = Flight(pid=7, parent=1, began=0.0, open=(IMPORT,), entry=ENTRY)


def chain(dump: tuple[str, ...], flight: Flight) -> list[tuple[str, str, str, int]]:
    ending = ending_of(None, flight, 0.0, asked=False, by_us=False, dump=dump, silent=False)
    assert ending.step is not None
    return [(step.kind, step.name, step.file, step.line) for step in ending.step.chain]


def test_the_step_is_the_innermost_own_line_of_the_dump() -> None:
    assert chain(DUMP, FLIGHT) == [
        ("import", "mö日", "/srv/run.py", 9),
        ("statement", "", "/srv/mö日.py", 4),
        ("statement", "", "/srv/mö日.py", 3),
    ]


def test_the_dump_wins_over_the_last_seen_line_of_the_record() -> None:
    dump = (*DUMP[:3], '  File "/srv/run.py", line 2 in <module>')
    flight = Flight(pid=7, parent=1, began=0.0, entry=ENTRY)

    assert chain(dump, flight) == [("statement", "", "/srv/run.py", 2)]
    assert chain((), flight) == [("statement", "", "/srv/run.py", 1)]


def test_a_name_that_the_dump_cut_off_is_not_used() -> None:
    dump = (*DUMP[:3], '  File "/srv/ru...", line 2 in <module>')

    assert [frame.file for frame in frames_of(dump, [])] == [""]


def test_what_is_no_dump_has_no_stack() -> None:
    assert frames_of((), []) == ()
    assert (
        frames_of(("Current thread 0x1 (most recent call first):", "  <no Python frame>"), []) == ()
    )
