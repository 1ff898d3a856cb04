"""Tries again and again to lock a file that another process has locked: polls_flock.py PATH."""

import fcntl
import sys
import time

with open(sys.argv[1], "w") as file:
    print("ready", flush=True)
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            time.sleep(0.05)
