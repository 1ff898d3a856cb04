"""Why a process has no probe, and what that costs."""

import pytest

from hangbisect.watch.hooked import cost_of_options, why_not_hooked


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
