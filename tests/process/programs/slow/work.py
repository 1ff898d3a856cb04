"""Compute so many seconds of CPU time: a stop adds to it."""

import sys
import time

end = time.process_time() + float(sys.argv[2])
while time.process_time() < end:
    sum(range(1000))
