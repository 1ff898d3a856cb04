"""How a healthy program says that it is in its state, and for how long it stays in it."""

import os

STILL = 5.0
"""Seconds in which nothing is to be seen of the program: ample time to be wrong about it."""


def ready(*words: object) -> None:
    """Tell the test our process id, what it is to do after a while, and what it needs for that."""
    print("ready", os.getpid(), *words, flush=True)
