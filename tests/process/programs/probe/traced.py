"""Trace this module's lines and calls as a debugger does."""

import sys


def trace(frame, event, argument):
    if frame.f_code.co_filename == __file__:
        print(event, frame.f_code.co_name, frame.f_lineno)
    return trace


def function():
    return sum(x for x in range(3))


sys.settrace(trace)
sys._getframe().f_trace = trace
import colorsys  # noqa: E402, F401

function()
for _ in range(2):
    x = 1
sys.settrace(None)
print(sys.gettrace())
