"""Launchers that wait for Ctrl-C while their children serve. Run one by its name."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading

from _ready import ready

SERVER = "import socket; socket.create_server(('127.0.0.1', 0)).accept()"


def an_event_beside_a_server() -> None:
    _wait_with(SERVER, threading.Event().wait)


def a_pause_beside_a_server() -> None:
    _wait_with(SERVER, signal.pause)


def an_event_beside_a_daemon() -> None:
    """The server lost its parent on the way, as daemons do."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        child = subprocess.Popen([sys.executable, "-c", SERVER])
        os.write(writing, str(child.pid).encode())
        os._exit(0)
    os.wait()
    daemon = int(os.read(reading, 32))
    ready()
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        os.kill(daemon, signal.SIGKILL)


def an_event_beside_workers_of_a_server() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    workers = [multiprocessing.Process(target=server.accept, daemon=True) for _ in range(2)]
    for worker in workers:
        worker.start()
    ready()
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        return


def _wait_with(code: str, wait: "object") -> None:
    child = subprocess.Popen([sys.executable, "-c", code])
    ready()
    try:
        wait()
    except KeyboardInterrupt:
        child.kill()
        child.wait()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
