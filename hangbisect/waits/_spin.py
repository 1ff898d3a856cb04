"""What a running thread is at: a circle, or one call of the regular expression engine. Pure."""

import re

from hangbisect.model import Repeat, Thread
from hangbisect.model.code import is_regex

ENOUGH = 60
"""Samples below which nothing is said."""
NEW = 0.25
"""Share of new states among the later samples from which on a thread computes something."""
INNERMOST = 3
"""Native frames that may be the engine's: further out it may only have called back into Python."""

_ENGINE = re.compile(r"_*sre_", re.I)
"""Functions of the extension module _sre."""


def is_spin(repeat: Repeat) -> bool:
    """Tell whether the thread goes round in the same few machine states.

    A loop that counts in memory, or in Python objects made anew at the same places, may show few
    states too: only together with a Python stack that does not change either (equal
    `Thread.digest`) does it mean that nothing goes on.
    """
    later = repeat.samples - repeat.samples // 2
    return repeat.samples >= ENOUGH and repeat.fresh < NEW * later


def is_in_regex_engine(thread: Thread) -> bool:
    """Tell whether the thread's innermost code is a call of Python's regular expression engine.

    A pattern that was compiled before is called without a Python frame of its own: that is seen
    only in native frames, where the interpreter has symbols.
    """
    if any(_ENGINE.match(frame.symbol) for frame in thread.native[-INNERMOST:]):
        return True
    innermost = thread.frames[-1].file if thread.frames else ""
    return is_regex(innermost)
