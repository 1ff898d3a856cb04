"""Programs that a signal will go on with. Run one by its name: `python signals.py an_alarm`."""

import ctypes
import os
import queue
import select
import signal
import socket
import subprocess
import sys
import threading

from _ready import STILL, ready

ITEMS: "queue.Queue[int]" = queue.Queue()
SET = threading.Event()


def an_alarm_ends_a_queue_get() -> None:
    signal.signal(signal.SIGALRM, lambda *_: ITEMS.put(1))
    signal.alarm(int(STILL))
    ready()
    ITEMS.get()


def an_interval_timer_sets_an_event() -> None:
    signal.signal(signal.SIGPROF, lambda *_: None)
    signal.signal(signal.SIGALRM, lambda *_: SET.set())
    signal.setitimer(signal.ITIMER_REAL, STILL)
    ready()
    SET.wait()


def an_interval_timer_ends_a_pause() -> None:
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, STILL)
    ready()
    signal.pause()


def somebody_sends_a_signal_that_sets_an_event() -> None:
    signal.signal(signal.SIGUSR1, lambda *_: SET.set())
    ready("signal")
    SET.wait()


def somebody_ends_a_pause() -> None:
    signal.signal(signal.SIGUSR1, lambda *_: None)
    ready("signal")
    signal.pause()


def somebody_sends_what_sigwait_waits_for() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    ready("signal")
    signal.sigwait({signal.SIGUSR1})


def another_thread_takes_the_signal() -> None:
    signal.signal(signal.SIGUSR1, lambda *_: None)
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    signal.set_wakeup_fd(writing.fileno())
    forever = threading.Thread(target=select.select, args=([reading], [], []))
    forever.start()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    ready("signal")
    forever.join()


def a_wakeup_pipe_is_written_by_a_handler() -> None:
    signal.signal(signal.SIGUSR1, lambda *_: None)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)
    ready("signal")
    os.read(reading, 1)


def a_signal_descriptor_is_read() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    mask = (ctypes.c_ulong * 16)(1 << (signal.SIGUSR1 - 1))
    descriptor = ctypes.CDLL(None).signalfd(-1, mask, 0)
    ready("signal")
    os.read(descriptor, 128)


def the_end_of_a_child_sets_an_event() -> None:
    signal.signal(signal.SIGCHLD, lambda *_: SET.set())
    with subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({STILL})"]):
        ready()
        SET.wait()


def an_alarm_raises_out_of_a_join() -> None:
    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(int(STILL))
    threading.Thread(target=SET.wait, daemon=True).start()
    ready()
    try:
        threading.enumerate()[-1].join()
    except TimeoutError:
        return


if __name__ == "__main__":
    globals()[sys.argv[1]]()
