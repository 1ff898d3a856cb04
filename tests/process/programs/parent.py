"""Run a program below a keeper and end as it did: what the command does, and nothing else.

usage: parent.py [--out FILE] PROGRAM ARGUMENTS...   (happenings go to FILE, one a line)
"""

import os
import sys

from hangbisect.errors import TargetError
from hangbisect.watch.exits import exit_like
from hangbisect.watch.front import Keeper
from hangbisect.watch.happenings import Exited, Interrupted
from hangbisect.watch.launch import Launch

arguments = sys.argv[1:]
out = open(os.devnull, "w")
if arguments[0] == "--out":
    out = open(arguments[1], "w")
    arguments = arguments[2:]
with Keeper() as keeper:
    try:
        pid = keeper.start(Launch(argv=tuple(arguments), environment=dict(os.environ)))
    except TargetError as error:
        sys.exit(f"parent: {error}")
    print("started", os.getpid(), keeper.pid, pid, file=out, flush=True)
    status = None
    while status is None:
        for happening in keeper.wait(1.0):
            print(happening, file=out, flush=True)
            if isinstance(happening, Exited):
                status = happening.status
            if isinstance(happening, Interrupted) and happening.count == 2:
                print(keeper.end(), file=out, flush=True)
exit_like(status)
