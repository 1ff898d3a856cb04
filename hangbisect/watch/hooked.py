"""Why a Python process has no probe of ours in it, as far as its command line tells. Pure."""

from collections.abc import Iterator, Sequence

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
    for letter in _letters(argv[1:]):
        if letter in _SWITCHES:
            return _SWITCHES[letter]
    return "the probe has not come up: PYTHONPATH was changed, or Python has not reached site yet"


def cost_of_options(pid: int, argv: Sequence[str]) -> tuple[Gap, ...]:
    """Say what cannot be told of a process whose command line keeps the probe out."""
    why = why_not_hooked(argv)
    if why not in _SWITCHES.values():
        return ()
    return (
        Gap(
            what=f"imports and statements of process {pid} as they begin and end",
            why=why,
            remedy="The step is read from its stack instead; leave the option out for a record.",
        ),
    )


def _letters(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the interpreter's own one-letter options: those before its program, without values."""
    rest = iter(arguments)
    for argument in rest:
        if argument == "--check-hash-based-pycs":
            next(rest, None)
        elif argument.startswith("--") and argument != "--":
            continue
        elif not argument.startswith("-") or argument in ("-", "--"):
            return
        else:
            valued = next((at for at, c in enumerate(argument) if c in _WITH_VALUE), None)
            yield from argument[1:valued]
            if valued is not None and argument[valued] in "cm":
                return
            if valued == len(argument) - 1:
                next(rest, None)
