"""Read through a null pointer, in a library that ctypes calls."""

import ctypes


def crash():
    ctypes.string_at(0)


crash()
