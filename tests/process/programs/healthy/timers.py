"""Programs that time will go on with. Run one by its name: `python timers.py a_long_sleep`."""

import concurrent.futures
import ctypes
import faulthandler
import os
import select
import socket
import struct
import sys
import threading
import time

from _ready import STILL, ready

SET = threading.Event()


def a_long_sleep() -> None:
    ready()
    time.sleep(STILL)


def an_event_with_a_time_limit() -> None:
    ready()
    SET.wait(STILL)


def a_condition_with_a_time_limit() -> None:
    ready()
    condition = threading.Condition()
    with condition:
        condition.wait(STILL)


def a_future_with_a_time_limit() -> None:
    ready()
    try:
        concurrent.futures.Future().result(STILL)
    except concurrent.futures.TimeoutError:
        return


def many_short_sleeps() -> None:
    ready()
    end = time.monotonic() + STILL
    while time.monotonic() < end:
        time.sleep(0.1)


def a_timer_thread_sets_an_event() -> None:
    threading.Timer(STILL, SET.set).start()
    ready()
    SET.wait()


def a_select_with_a_time_limit() -> None:
    reading, _writing = os.pipe()
    ready()
    select.select([reading], [], [], STILL)


def a_socket_with_a_time_limit_of_the_kernels() -> None:
    reading, _writing = socket.socketpair()
    limit = struct.pack("ll", int(STILL), 0)
    reading.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
    ready()
    try:
        os.read(reading.fileno(), 1)
    except BlockingIOError:
        return


def a_timer_descriptor_is_read() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.timerfd_create(time.CLOCK_MONOTONIC, 0)
    libc.timerfd_settime(descriptor, 0, struct.pack("4l", 0, 0, int(STILL), 0), None)
    ready()
    os.read(descriptor, 8)


def a_timer_descriptor_is_watched() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.timerfd_create(time.CLOCK_MONOTONIC, 0)
    libc.timerfd_settime(descriptor, 0, struct.pack("4l", 0, 0, int(STILL), 0), None)
    watching = select.epoll()
    watching.register(descriptor, select.EPOLLIN)
    ready()
    watching.poll()


def a_watchdog_dumps_and_ends_the_program() -> None:
    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(STILL, file=nowhere)
        ready()
        SET.wait(STILL + 1)


def the_gil_is_held_for_some_seconds() -> None:
    hold = threading.Thread(target=ctypes.PyDLL(None).usleep, args=(int(STILL * 1e6),))
    ready()
    hold.start()
    hold.join()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
