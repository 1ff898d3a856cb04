"""Run a program below a keeper and end as it did: what the command does, and nothing else.

usage: parent.py [--out FILE] [--end-after SECONDS] PROGRAM ARGUMENTS...

What happens goes to FILE, one a line. A second Ctrl-C ends the target, and so does the time.
"""

import argparse
import os
import time

from hangbisect.errors import TargetError
from hangbisect.watch.exits import exit_like
from hangbisect.watch.front import Keeper
from hangbisect.watch.happenings import Exited, Happening, Interrupted
from hangbisect.watch.launch import Launch

parser = argparse.ArgumentParser()
parser.add_argument("--out", default=os.devnull)
parser.add_argument("--end-after", type=float, default=float("inf"))
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()
out = open(given.out, "w", buffering=1)  # noqa: SIM115  # until the end


def wants_end(happening: Happening) -> bool:
    return isinstance(happening, Interrupted) and happening.count == 2


def watch(keeper: Keeper) -> int:
    until = time.monotonic() + given.end_after
    while True:
        happenings = keeper.wait(0.2)
        for happening in happenings:
            print(happening, file=out)
            if isinstance(happening, Exited):
                return happening.status
        if time.monotonic() > until or any(map(wants_end, happenings)):
            until = float("inf")
            print(keeper.end(), file=out)


with Keeper() as keeper:
    launch = Launch(argv=tuple(given.command), environment=dict(os.environ))
    try:
        pid = keeper.start(launch)
    except TargetError as error:
        raise SystemExit(f"parent: {error}") from None
    print("started", os.getpid(), keeper.pid, pid, file=out)
    status = watch(keeper)
exit_like(status)
