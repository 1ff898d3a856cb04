"""Programs that somebody outside goes on with.

Arguments: the program's name, a path of its own, a descriptor of a slow pipe, and the address of a
friend who takes descriptors.
"""

import array
import asyncio
import ctypes
import fcntl
import os
import select
import socket
import socketserver
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from _ready import ready


def a_client_comes_later() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        ready("connect", server.getsockname()[1])
        server.accept()


def a_client_of_asyncio_comes_later() -> None:
    async def serve() -> None:
        came = asyncio.Event()
        server = await asyncio.start_server(lambda *_: came.set(), "127.0.0.1", 0)
        ready("connect", server.sockets[0].getsockname()[1])
        await came.wait()
        server.close()

    asyncio.run(serve())


def a_server_thread_beside_an_idle_main() -> None:
    class Server(socketserver.TCPServer):
        def service_actions(self) -> None:
            """Nothing between two requests."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            came.set()

    came = threading.Event()
    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.handle_request).start()
        ready("connect", server.server_address[1])
        came.wait()


def an_executor_is_idle_in_a_server() -> None:
    with ThreadPoolExecutor(4) as pool, socket.create_server(("127.0.0.1", 0)) as server:
        list(pool.map(abs, range(8)))
        ready("connect", server.getsockname()[1])
        server.accept()


def a_datagram_comes_later() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        ready("datagram", receiver.getsockname()[1])
        receiver.recv(1)


def standard_input_is_a_slow_pipe() -> None:
    ready("input")
    sys.stdin.readline()


def a_pipe_is_slow() -> None:
    ready("pipe")
    os.read(int(sys.argv[3]), 1)


def a_pipe_is_opened_by_its_name() -> None:
    with open(f"/dev/fd/{sys.argv[3]}") as slow:
        os.close(int(sys.argv[3]))
        ready("pipe")
        slow.readline()


def a_fifo_is_opened_later() -> None:
    ready("fifo")
    with open(sys.argv[2]) as fifo:
        fifo.read()


def a_fifo_that_we_hold_ourselves_is_written_later() -> None:
    both = os.open(sys.argv[2], os.O_RDWR)
    ready("fifo")
    os.read(both, 1)


def a_file_appears() -> None:
    ready("file")
    while not os.path.exists(sys.argv[2]):
        time.sleep(0.2)


def a_file_appears_in_a_watched_folder() -> None:
    libc = ctypes.CDLL(None)
    watching = libc.inotify_init()
    libc.inotify_add_watch(watching, os.path.dirname(sys.argv[2]).encode(), 0x100)
    ready("file")
    os.read(watching, 1024)


def a_lock_is_released() -> None:
    with open(sys.argv[2], "w") as file:
        ready("lock")
        fcntl.flock(file, fcntl.LOCK_EX)


def a_record_lock_is_released() -> None:
    with open(sys.argv[2], "w") as file:
        ready("lock")
        fcntl.lockf(file, fcntl.LOCK_EX)


def another_process_was_given_the_other_end() -> None:
    """Pass an end on by SCM_RIGHTS, so that nobody of ours has it."""
    reading, writing = os.pipe()
    _pass_on(writing)
    os.close(writing)
    ready("friend")
    os.read(reading, 1)


def another_process_was_given_a_copy_of_the_other_end() -> None:
    """Keep the end too, so that it is seen with us."""
    reading, writing = os.pipe()
    _pass_on(writing)
    ready("friend")
    os.read(reading, 1)


def another_process_was_given_a_copy_of_a_socket() -> None:
    reading, writing = socket.socketpair()
    _pass_on(writing.fileno())
    ready("friend")
    reading.recv(1)


def another_process_was_given_an_eventfd() -> None:
    descriptor = ctypes.CDLL(None).eventfd(0, 0)
    _pass_on(descriptor)
    ready("friend")
    os.read(descriptor, 8)


def another_process_was_given_a_watched_eventfd() -> None:
    descriptor = ctypes.CDLL(None).eventfd(0, 0)
    watching = select.epoll()
    watching.register(descriptor, select.EPOLLIN)
    _pass_on(descriptor)
    ready("friend")
    watching.poll()


def _pass_on(descriptor: int) -> None:
    with socket.socket(socket.AF_UNIX) as friend:
        friend.connect("\0" + sys.argv[4])
        rights = array.array("i", [descriptor])
        friend.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])


if __name__ == "__main__":
    globals()[sys.argv[1]]()
