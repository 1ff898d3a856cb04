"""Import in many threads, more than once, and end."""

import importlib
import sys
import threading


def work():
    for _ in range(30):
        sys.modules.pop("colorsys", None)
        importlib.import_module("colorsys")


threads = [threading.Thread(target=work) for _ in range(60)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
