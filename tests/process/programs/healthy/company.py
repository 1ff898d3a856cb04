"""Programs whose other threads or processes go on. Run one by its name: `python company.py x`."""

import asyncio
import atexit
import fcntl
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from _ready import STILL, ready

SLOW_CHILD = [sys.executable, "-c", f"import time; time.sleep({STILL})"]


def a_child_is_slow() -> None:
    ready()
    subprocess.run(SLOW_CHILD, check=True)


def the_output_of_a_slow_child_is_read() -> None:
    ready()
    subprocess.run(SLOW_CHILD, check=True, capture_output=True)


def a_child_without_a_probe_is_slow() -> None:
    ready()
    subprocess.run(["sleep", str(STILL)], check=True)


def asyncio_waits_for_a_slow_child() -> None:
    async def wait() -> None:
        child = await asyncio.create_subprocess_exec(*SLOW_CHILD)
        ready()
        await child.wait()

    asyncio.run(wait())


def a_pool_of_processes_is_idle() -> None:
    with multiprocessing.Pool(2) as pool:
        pool.map(abs, range(4))
        ready()
        time.sleep(STILL)


def a_pool_of_processes_has_a_slow_task() -> None:
    with multiprocessing.Pool(2) as pool:
        ready()
        pool.map(time.sleep, [STILL])


def a_process_executor_has_a_slow_task() -> None:
    with ProcessPoolExecutor(2) as pool:
        ready()
        pool.submit(time.sleep, STILL).result()


def a_process_puts_into_a_queue_later() -> None:
    items = multiprocessing.Queue()
    child = multiprocessing.Process(target=_put_later, args=(items,))
    child.start()
    ready()
    items.get()
    child.join()


def a_process_releases_a_semaphore_later() -> None:
    semaphore = multiprocessing.Semaphore(0)
    child = multiprocessing.Process(target=_release_later, args=(semaphore,))
    child.start()
    ready()
    semaphore.acquire()
    child.join()


def a_thread_executor_is_idle_while_main_computes() -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(abs, range(8)))
        ready()
        end = time.process_time() + 1.0
        while time.process_time() < end:
            sum(range(10000))


def two_daemon_threads_are_deadlocked() -> None:
    """Main goes on: what its daemons do is no hang of the program."""
    first, second = threading.Lock(), threading.Lock()
    both = threading.Barrier(3)
    for mine, other in ((first, second), (second, first)):
        threading.Thread(target=_deadlock, args=(mine, other, both), daemon=True).start()
    both.wait()
    ready()
    time.sleep(STILL)


def threads_are_joined_at_the_end() -> None:
    threading.Thread(target=time.sleep, args=(STILL,)).start()
    atexit.register(time.sleep, 0.1)
    ready()


def a_handler_at_exit_waits_for_a_thread() -> None:
    done = threading.Event()
    threading.Thread(target=_set_later, args=(done,), daemon=True).start()
    atexit.register(done.wait)
    ready()


def a_lock_is_held_by_a_busy_child() -> None:
    with open(sys.argv[2], "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        child = os.fork()
        if child == 0:
            time.sleep(STILL)
            os._exit(0)
    ready()
    with open(sys.argv[2], "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
    os.waitpid(child, 0)


def the_main_thread_has_ended_before_the_others() -> None:
    threading.Thread(target=_end_later).start()
    ready()
    __import__("ctypes").CDLL(None).syscall(60, 0)


def much_is_computed() -> None:
    ready()
    end = time.process_time() + 2.0
    while time.process_time() < end:
        sum(range(100000))


def a_large_file_is_read() -> None:
    ready()
    for _ in range(20):
        with open(sys.executable, "rb") as file:
            while file.read(1 << 16):
                pass


def _put_later(items: "multiprocessing.Queue[int]") -> None:
    time.sleep(STILL)
    items.put(1)


def _release_later(semaphore: "multiprocessing.synchronize.Semaphore") -> None:
    time.sleep(STILL)
    semaphore.release()


def _deadlock(mine: threading.Lock, other: threading.Lock, both: threading.Barrier) -> None:
    with mine:
        both.wait()
        other.acquire()


def _set_later(event: threading.Event) -> None:
    time.sleep(STILL)
    event.set()


def _end_later() -> None:
    time.sleep(STILL)
    os._exit(0)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
