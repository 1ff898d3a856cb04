"""Raise an error that nobody hears: the argument says why."""

import os
import sys


def silence(how):
    if how == "closed":
        os.close(1)
        os.close(2)
    elif how == "null":
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it stays open
    elif how == "missing":
        sys.stderr = None


silence(sys.argv[1])
raise RuntimeError("unheard")
