"""Say which descriptors are open, and which numbers new ones get."""

import json  # noqa: F401
import os
import socket


def numbers():
    return sorted(int(name) for name in os.listdir("/proc/self/fd") if int(name) < 1000)


print(numbers())
with open(__file__) as file, socket.socket() as other:
    print(file.fileno(), other.fileno(), numbers())
if os.fork() == 0:
    import ast  # noqa: F401

    print(numbers(), flush=True)
    os._exit(0)
os.wait()
os.closerange(3, 64)
with open("written.txt", "w+") as file:
    import decimal  # noqa: F401

    file.write("mine")
    file.seek(0)
    print(file.fileno(), file.read(), numbers())
