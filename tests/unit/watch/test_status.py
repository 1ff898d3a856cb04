import io

from hangbisect.model import Step
from hangbisect.watch.status import StatusLine, status_text


def test_the_line_says_step_elapsed_quiet_cpu_and_wait():
    step = Step(pid=7, kind="import", name="torch", file="/w/run.py", line=3)

    text = status_text(
        step=step, elapsed=61.0, quiet=6.0, cpu=0.02, waits="reads the terminal", width=200
    )

    assert (
        text
        == "hangbisect: run.py:3 import torch | 61 s | quiet for 6 s | CPU 2 % | reads the terminal"
    )


def test_the_line_fits_the_terminal():
    assert len(status_text(step=None, elapsed=1, quiet=1, cpu=0, waits="x" * 200, width=80)) < 80


def test_nothing_is_written_where_stderr_is_no_terminal():
    stream = io.StringIO()

    line = StatusLine(stream, wanted=True)
    line.show("text")
    line.clear()

    assert stream.getvalue() == ""
