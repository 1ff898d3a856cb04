"""Why a process has no probe, and what that costs."""

import pytest

from hangbisect.model import Process
from hangbisect.watch.hooked import cost_of_options, reason, why_not_hooked


@pytest.mark.parametrize(
    "option",
    [
        "-I",
        "-E",
        "-S",
        "-uS",
        "-X dev -I",
        "-Xdev -BE",
        "-W ignore --check-hash-based-pycs always -E",
    ],
)
def test_an_option_that_keeps_the_probe_out_costs_the_record(option):
    (gap,) = cost_of_options(7, ("python", *option.split(), "run.py"))

    assert gap.what == "imports and statements of process 7 as they begin and end"
    assert gap.why.startswith(f"-{option[-1]} ")


@pytest.mark.parametrize(
    "argv", [("run.py", "-I"), ("-u", "-m", "pkg", "-S"), ("-c", "pass", "-E"), ("-WI", "run.py")]
)
def test_what_belongs_to_the_program_or_to_an_option_costs_nothing(argv):
    assert cost_of_options(7, ("python", *argv)) == ()
    assert why_not_hooked(("python", *argv)).startswith("the probe has not come up")


def process(**others):
    fields = {"python": "3.11", "executable": "/usr/bin/python3.11", "argv": ("python3", "run.py")}
    return Process(pid=7, parent=1, **{**fields, **others})


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (process(argv=("python3", "-I", "run.py")), "-I ignores PYTHONPATH"),
        (process(owner=1000), "it runs as another user (uid 1000)"),
        (process(python="3.6", executable="/usr/bin/python3.6"), "Python 3.6 is older"),
        (process(argv=("python3", "/srv/tool.pex")), "it is a PEX file"),
        (process(executable="/srv/app", argv=("/srv/app",)), "its Python is built into"),
        (process(entrance="emptied"), "it was started with an empty environment"),
        (process(entrance="scrubbed"), "its environment was scrubbed"),
        (process(entrance="replaced"), "its PYTHONPATH was replaced"),
        (process(entrance="dropped"), "PYTHONPATH was taken"),
        (process(entrance="fenced"), "a ._pth file"),
        (process(entrance="open"), "the probe has not come up"),
        (process(), "the probe has not come up"),
    ],
)
def test_the_surest_reason_is_given(row, expected):
    assert reason(row, 0).startswith(expected)
