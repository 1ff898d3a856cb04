"""Fail because a process of its own has crashed."""

import colorsys
import ctypes
import os

child = os.fork()
if child == 0:
    import sched

    print(colorsys, sched)
    ctypes.string_at(0)
_, status = os.waitpid(child, 0)
raise SystemExit("the worker is gone" if status else 0)
