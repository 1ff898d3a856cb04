"""End in the way that the first argument names."""

import atexit
import os
import signal
import sys

atexit.register(print, "atexit", flush=True)
how = sys.argv[1]
if how == "code":
    sys.exit(3)
elif how == "text":
    sys.exit("a last word")
elif how == "at-once":
    os._exit(4)
elif how == "signal":
    os.kill(os.getpid(), signal.SIGTERM)
elif how == "interrupt":
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass
