"""Let a signal handler raise at any moment of an import: every such error must come out."""

import signal
import sys


class Late(Exception):
    pass


def late(number, frame):
    raise Late


signal.signal(signal.SIGALRM, late)
came = 0
for number in range(150):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0001 + number * 0.000003)
        for _ in range(400):
            sys.modules.pop("colorsys", None)
            import colorsys  # noqa: F401
    except Late:
        came += 1
import sched  # noqa: E402

print(came, sched.__name__)
