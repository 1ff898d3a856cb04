"""Compute, at one line."""

import sys
import time

end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    sum(range(1000))
