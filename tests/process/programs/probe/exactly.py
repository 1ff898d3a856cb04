"""Look at what a script is: its names, its frame, its source, and itself as another sees it."""

from __future__ import annotations

import inspect
import pickle
import sys

count: int = 0


class Row:
    def __init__(self, size):
        self.size = size


def level(depth):
    return level(depth + 1)


print(sorted(globals()) == sorted(locals()), __doc__, __annotations__)
print(list(globals()), __file__, __name__, __loader__, __spec__, __package__)
print(sys.argv, sys.path[0], sys.path_importer_cache.get(__file__, "unasked"))
print(sys._getframe().f_back, len(inspect.stack()), inspect.getsource(Row))
print(sys._getframe().f_code.co_name, sys._getframe().f_code.co_firstlineno)
print(type(pickle.loads(pickle.dumps(Row(1)))) is Row, Row.__module__, level.__annotations__)
print("runpy" in sys.modules, [hook for hook in sys.path_hooks if "hangbisect" in repr(hook)])
for index in range(300):
    count += index
else:
    print(count, "\xe9")
try:
    level(0)
except RecursionError as error:
    depth = 0
    trace = error.__traceback__
    while trace is not None:
        trace, depth = trace.tb_next, depth + 1
    print(error, depth)
finally:
    with open(__file__, "rb") as file:
        print(file.readline())
if __name__ == "__main__":
    assert not __debug__, "not optimised"
