"""Imports, and has a child that imports something else."""

import os
import sys

sys.stdout.flush()
child = os.fork()
if child == 0:
    import wave  # noqa: F401

    os._exit(0)
os.waitpid(child, 0)
import colorsys  # noqa: E402, F401
