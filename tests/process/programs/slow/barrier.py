"""Wait at a barrier for ranks that come late, one after the other."""

import multiprocessing
import sys
import time

LATE = (0.0, 0.75, 1.0)
"""When each rank comes, as a share of the time."""


def take_part(barrier, rank, seconds):
    time.sleep(seconds * LATE[rank])
    barrier.wait()


processes = multiprocessing.get_context("fork")
barrier = processes.Barrier(len(LATE))
late = [
    processes.Process(target=take_part, args=(barrier, rank, float(sys.argv[2])))
    for rank in range(1, len(LATE))
]
for process in late:
    process.start()
take_part(barrier, 0, 0.0)
for process in late:
    process.join()
