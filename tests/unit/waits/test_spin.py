"""Who goes round in a circle, who is in the regex engine, and what a running thread's wait says."""

import pytest

from hangbisect.model import NativeFrame, Repeat, Thread
from hangbisect.waits import is_in_regex_engine, is_spin
from tests.unit.waits.builder import PID, frame, reading, ref, running


def repeat(samples: int, states: int, fresh: int) -> Repeat:
    return Repeat(pid=PID, tid=PID, samples=samples, states=states, fresh=fresh)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (repeat(250, 3, 0), True),
        (repeat(250, 90, 31), True),
        (repeat(250, 90, 32), False),
        (repeat(250, 250, 125), False),
        (repeat(60, 2, 0), True),
        (repeat(59, 2, 0), False),
        (repeat(61, 9, 7), True),
        (repeat(61, 9, 8), False),
        (repeat(0, 0, 0), False),
    ],
    ids=repr,
)
def test_a_spin_brings_few_new_states_late(found: Repeat, expected: bool) -> None:
    assert is_spin(found) is expected


FILES = {
    "/usr/lib/python3.8/re.py": True,
    "/usr/lib64/python3.10/re.py": True,
    "/opt/py/lib/python3.13t/re/__init__.py": True,
    "/opt/py/lib/python311.zip/re/__init__.py": True,
    "C:\\Python312\\Lib\\re\\__init__.py": True,
    "/usr/lib/python3.11/re/_compiler.py": False,
    "/usr/lib/python3.11/site-packages/re/__init__.py": False,
    "/home/user/app/re.py": False,
    "/usr/lib/python3.11/core.py": False,
}


@pytest.mark.parametrize(("file", "expected"), FILES.items(), ids=FILES)
def test_a_call_of_the_module_re_is_told_by_the_file_of_the_innermost_frame(
    file: str, expected: bool
) -> None:
    thread = running(frames=(frame("<module>"), frame("match", file, 166)))

    assert is_in_regex_engine(thread) is expected


def test_a_callback_out_of_the_module_re_is_not_in_the_engine() -> None:
    thread = running(frames=(frame("sub", "/usr/lib/python3.11/re/__init__.py"), frame("replace")))

    assert not is_in_regex_engine(thread)


@pytest.mark.parametrize(
    ("symbols", "expected"),
    [
        (("main", "_PyEval_EvalFrameDefault", "_sre_SRE_Pattern_match", "sre_ucs1_match"), True),
        (("main", "sre_ucs4_match", "realloc", "memmove"), True),
        (("sre_ucs1_search", "a", "_PyEval_EvalFrameDefault", "long_add"), False),
        (("main", "", ""), False),
        ((), False),
    ],
    ids=["in it", "in its memory", "called back", "no symbols", "no stack"],
)
def test_a_compiled_pattern_is_told_by_the_innermost_native_frames(
    symbols: tuple[str, ...], expected: bool
) -> None:
    native = tuple(NativeFrame(library="/usr/lib/libpython3.11.so", symbol=s) for s in symbols)

    assert is_in_regex_engine(Thread(pid=PID, tid=PID, native=native)) is expected


def test_a_thread_that_spins_says_so_and_is_alive() -> None:
    thread = running(frames=(frame("main"),))

    found = reading(thread, repeats=(repeat(250, 3, 0),))

    wait = found.waits[ref(PID)]
    assert wait.says == "spins: the same 3 machine states come again"
    assert (wait.kind, wait.roots) == ("running", ("running",))
    assert not found.hung


def test_a_thread_that_computes_says_where() -> None:
    thread = running(frames=(frame("main"),))

    found = reading(thread, repeats=(repeat(250, 250, 125),))

    assert found.waits[ref(PID)].says == "runs in main, line 3"


def test_the_states_of_another_thread_say_nothing_of_this_one() -> None:
    other = Repeat(pid=PID, tid=PID + 1, samples=250, states=3, fresh=0)

    found = reading(running(), repeats=(other,))

    assert found.waits[ref(PID)].says == "runs"
