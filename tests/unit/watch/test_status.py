import io

from hangbisect.model import Step
from hangbisect.watch.status import Pulse, StatusLine, status_text

PULSE = Pulse(elapsed=61.0, quiet=6.0, cpu=0.02, traffic=2000.0)


def test_the_line_says_step_elapsed_quiet_cpu_traffic_and_wait():
    step = Step(pid=7, kind="import", name="torch", file="/w/run.py", line=3)

    text = status_text(step, "in model loading", PULSE, ("reads the terminal", "python"), 200)

    assert text == (
        "hangbisect: run.py:3 import torch | in model loading | quiet for 6 s | reads the terminal"
        " | 61 s, CPU 2 %, I/O 2.0 kB/s"
    )


def test_a_long_line_is_cut_to_the_terminal():
    text = status_text(None, "", PULSE, ("x" * 200, ""), 80)

    assert len(text) == 79
    assert text.endswith("...")


def test_nothing_is_written_where_stderr_is_no_terminal():
    stream = io.StringIO()

    line = StatusLine(stream, wanted=True)
    line.show("text")
    line.clear()

    assert stream.getvalue() == ""
