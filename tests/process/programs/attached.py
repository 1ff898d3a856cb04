"""Programs to look at while they run: attached.py NAME."""

import os
import queue
import subprocess
import sys
import time

NOBODY = 65534


def prompt() -> None:
    """Ask somebody who never answers."""
    input("ready\n")


def child() -> None:
    """Wait for a child that never ends."""
    code = "import queue; print('ready', flush=True); queue.Queue().get()"
    with subprocess.Popen([sys.executable, "-c", code]) as tool:
        tool.wait()


def sleeper() -> None:
    """Sleep in one piece, much longer than anybody looks."""
    print("ready", flush=True)
    time.sleep(600)


def busy() -> None:
    """Compute."""
    print("ready", flush=True)
    total = 0
    while True:
        total += 1


def finisher() -> None:
    """Wait for a word, and come to an end."""
    print("ready", flush=True)
    print("got", sys.stdin.readline(), end="", flush=True)


def somebody_else() -> None:
    """Hang as another user."""
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    print("ready", flush=True)
    queue.Queue().get()


globals()[sys.argv[1]]()
