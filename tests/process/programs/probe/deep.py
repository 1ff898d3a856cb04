"""Say how deep a recursion may go in the module that imports this one."""

import sys


def depth():
    try:
        return 1 + depth()
    except RecursionError:
        return 1


def stack():
    frame, count = sys._getframe(), 0
    while frame:
        frame, count = frame.f_back, count + 1
    return count


print(__name__, stack(), depth())
