"""Waits for a lock file to go away: polls_file.py PATH."""

import os
import sys
import time


def wait(path):
    while os.path.exists(path):
        time.sleep(0.05)


print("ready", flush=True)
wait(sys.argv[1])
