"""Import a module that takes its time: run.py NAME SECONDS FOLDER."""

import os
import sys

print("ready", os.getpid(), flush=True)
__import__(sys.argv[1])
