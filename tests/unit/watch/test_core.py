"""Where a core file is looked for, and which of its stacks is the fault's."""

from hangbisect.host.proc import Proc
from hangbisect.model import NativeFrame, Thread
from hangbisect.watch.core import expand, fault_stack, pattern


def thread(*symbols: str) -> Thread:
    """Make a thread whose native stack is given innermost first."""
    frames = (NativeFrame(library="a.so", symbol=symbol, address=1) for symbol in symbols[::-1])
    return Thread(pid=1, tid=1, native=tuple(frames))


def test_what_a_pattern_says_of_the_process_is_put_in_and_the_rest_may_be_anything() -> None:
    assert expand("core.%e.%p.%t-100%%%", 7) == "core.*.7.*-100%"


def test_a_pattern_without_a_folder_is_looked_for_where_the_program_ran(tmp_path: object) -> None:
    proc = Proc(root=f"{tmp_path}/nothing")

    assert pattern(proc, 7, "/a [b]") == "/a [[]b]/"


def test_the_stack_of_a_fault_begins_below_the_handler_and_ends_at_python() -> None:
    faulted = thread("raise", "__restore_rt", "touch", "perish", "_PyEval_EvalFrameDefault", "main")

    frames = fault_stack((thread("poll"), faulted))

    assert [frame.symbol for frame in frames] == ["touch", "perish"]


def test_a_signal_that_was_sent_has_no_stack_of_a_fault() -> None:
    assert fault_stack((thread("raise", "__restore_rt", "kill", "os_kill"),)) == ()
    assert fault_stack((thread("poll"),)) == ()
