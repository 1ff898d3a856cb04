"""Pickle things of the main module."""

import pickle


class Thing:
    def __init__(self):
        self.value = 1


def function():
    return Thing


print(pickle.loads(pickle.dumps(Thing())).value)
print(pickle.dumps(Thing()), pickle.dumps(function))
