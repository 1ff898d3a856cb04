"""Listens to one thread for long, and says so at the first call it hears: listens.py PID."""

import sys
import time

from hangbisect.host.ptrace import SystemCall, listen


def heed(call: SystemCall) -> bool:
    print("ready", flush=True)
    if sys.argv[2] == "stop":
        time.sleep(60)
    return True


listen(int(sys.argv[1]), deadline=time.monotonic() + 60, may_stop=lambda: True, heed=heed)
