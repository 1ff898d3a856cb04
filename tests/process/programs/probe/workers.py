"""Use processes, started by the method that the first argument names, and send them things."""

import multiprocessing
import sys


class Job:
    def __init__(self, number):
        self.number = number

    def __call__(self, other):
        return Job(self.number + other)


def work(number):
    import json

    return json.dumps(number), __name__.strip("_")


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    with context.Pool(2) as pool:
        print(pool.map(work, range(3)))
        print(pool.apply(Job(1), (2,)).number)
    child = context.Process(target=sys.exit, args=(5,))
    child.start()
    child.join()
    print(child.exitcode)
