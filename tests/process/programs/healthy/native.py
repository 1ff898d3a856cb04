"""Programs in which native code goes on. Arguments: the program's name, and a built waits.c."""

import ctypes
import sys
import threading

from _ready import STILL, ready

SECONDS = int(STILL)


def a_native_thread_posts_a_semaphore() -> None:
    library = _library()
    library.post_later(SECONDS)
    ready()
    library.wait_for_post()


def a_native_thread_signals_a_condition() -> None:
    library = _library()
    library.signal_later(SECONDS)
    ready()
    library.wait_for_signal()


def a_native_thread_calls_back() -> None:
    done = threading.Event()
    callback = ctypes.CFUNCTYPE(None)(done.set)
    library = _library()
    library.call_later(callback, SECONDS)
    ready()
    done.wait()


def a_native_thread_holds_a_mutex_for_a_while() -> None:
    library = _library()
    library.hold_for(SECONDS)
    ready()
    library.lock()


def a_native_thread_is_joined() -> None:
    library = _library()
    library.post_later(SECONDS)
    ready()
    library.join_last()


def a_timer_of_the_c_library_runs_a_function() -> None:
    library = _library()
    library.timer_posts(SECONDS)
    ready()
    library.wait_for_post()


def a_timer_of_the_kernel_sends_a_signal_with_a_native_handler() -> None:
    library = _library()
    library.timer_signals(SECONDS)
    ready()
    library.wait_for_post()


def a_semaphore_in_shared_memory_is_posted_by_a_fork() -> None:
    library = _library()
    library.fork_posts(SECONDS)
    ready()
    library.wait_for_shared_post()


def a_constructor_takes_its_time() -> None:
    ready()
    ctypes.CDLL(sys.argv[3])


def another_thread_loads_a_library_meanwhile() -> None:
    """Main waits for the loader's lock, which the constructor's thread holds."""
    slow = threading.Thread(target=ctypes.CDLL, args=(sys.argv[3],))
    slow.start()
    ready()
    ctypes.CDLL("libutil.so.1")
    slow.join()


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(sys.argv[2])


if __name__ == "__main__":
    globals()[sys.argv[1]]()
