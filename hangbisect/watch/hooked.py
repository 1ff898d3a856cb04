"""Why a Python process has no probe of ours in it, as far as its command line tells. Pure."""

from collections.abc import Sequence

from hangbisect.model import Gap

_SWITCHES = {
    "I": "-I ignores PYTHONPATH and the user's site",
    "E": "-E ignores PYTHONPATH",
    "S": "-S skips site, where the probe enters",
}
_WITH_VALUE = "WXcm"
"""Options of the interpreter after which a value follows: https://docs.python.org/3/using/cmdline.html"""


def why_not_hooked(argv: Sequence[str]) -> str:
    """Return the option that keeps the probe out, or words for not knowing."""
    for argument in argv[1:]:
        if not argument.startswith("-") or argument in ("-", "--") or argument.startswith("--"):
            break
        for letter in argument[1:]:
            if letter in _SWITCHES:
                return _SWITCHES[letter]
            if letter in _WITH_VALUE:
                break
        if argument[1:2] in ("c", "m"):
            break
    return "the probe has not come up: PYTHONPATH was changed, or Python has not reached site yet"


def cost_of_no_probe(pid: int, why: str) -> Gap:
    """Say what a process without a probe cannot tell."""
    return Gap(
        what=f"imports and statements of process {pid} as they begin and end",
        why=why,
        remedy="the step is read from its stack instead; leave the option out to get a record",
    )
