"""Print all that a program can easily see of itself and of its interpreter."""

import signal
import sys
import threading

print(__name__, __file__, __doc__, __spec__, __loader__.__class__)
print(sorted(globals()))
print(sys.argv, sys.flags, sys.warnoptions, sys.getrecursionlimit())
print(sys.path[0], sys.meta_path, sys.path_hooks)
print(sys.gettrace(), sys.getprofile(), sys.excepthook is sys.__excepthook__)
print([(number, signal.getsignal(number)) for number in range(1, 32)])
print(threading.enumerate()[0].name, threading.active_count())
print(sorted(sys.modules["sys"].__dict__))
