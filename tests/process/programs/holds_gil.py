"""Blocks in a library that keeps the GIL, while another thread wants it: holds_gil.py LIBRARY."""

import ctypes
import sys
import threading

library = ctypes.PyDLL(sys.argv[1])
started = threading.Event()


def work():
    started.set()
    while True:
        pass


sys.setswitchinterval(0.001)
threading.Thread(target=work, daemon=True).start()
started.wait()
library.say_ready_and_block()
