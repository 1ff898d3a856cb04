"""About which paths the host is asked."""

from hangbisect.model import Descriptor, Facts
from hangbisect.watch.polled import polled_paths
from tests.unit.waits.builder import on, thread

DATA = Descriptor(pid=100, fd=5, kind="file", target="/data/set.bin")
PIPE = Descriptor(pid=100, fd=6, kind="pipe", target="pipe:[7]")


def test_a_file_on_which_the_kernel_holds_a_thread_is_asked_about():
    held = thread(100, on("read", 5), state="D")

    assert polled_paths(Facts(threads=(held,), descriptors=(DATA, PIPE))) == ("/data/set.bin",)


def test_a_file_that_is_merely_read_is_not():
    reads = thread(100, on("read", 5))

    assert polled_paths(Facts(threads=(reads,), descriptors=(DATA, PIPE))) == ()
