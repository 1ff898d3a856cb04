"""Burns CPU for ever: spins.py KIND. Answers SIGUSR1 with a line."""

import hashlib
import re
import signal
import sys
import zlib


def flag():
    done, _word = [], "canary-4711"
    while not done:
        pass


def count():
    number = 0
    while True:
        number += 1


def multiply():
    value = 1
    while True:
        value = (value * 1103515245 + 12345) % 2147483648


def add():
    sum(range(10**15))


def digest():
    data = bytearray(1000)
    while True:
        hashlib.sha256(data).digest()
        data += b"x"


def compress():
    data = bytes(10**7)
    while True:
        zlib.compress(data)


def backtrack():
    re.match(r"(a+)+$", "a" * 60 + "b")


signal.signal(signal.SIGUSR1, lambda *_: print("caught", flush=True))
print("ready", flush=True)
globals()[sys.argv[1]]()
