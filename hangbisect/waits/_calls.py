"""System calls by what they wait for. Names are the kernel's (syscalls(2))."""

from hangbisect.model import Call, Descriptor, Thread
from hangbisect.waits._index import Index

POLLS = (
    "poll",
    "ppoll",
    "select",
    "pselect6",
    "_newselect",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
)
SLEEPS = ("nanosleep", "clock_nanosleep", "clock_nanosleep_time64", "restart_syscall")
SIGNALS = ("pause", "rt_sigsuspend", "rt_sigtimedwait", "rt_sigtimedwait_time64")
CHILDREN = ("wait4", "waitid", "waitpid")
OPENS = ("open", "openat", "openat2", "creat")
FORKS = ("vfork", "clone", "clone3", "fork")
FUTEXES = ("futex", "futex_time64", "futex_wait", "futex_waitv")
LOCKS = ("flock", "fcntl", "fcntl64")
ACCEPTS = ("accept", "accept4")
NOT_ON_ONE_DESCRIPTOR = (*POLLS, *SLEEPS, *SIGNALS, *CHILDREN, *OPENS, *FORKS, *FUTEXES, *LOCKS)


def is_call(thread: Thread, names: tuple[str, ...]) -> bool:
    """Tell whether a thread is blocked in one of these calls."""
    return thread.call is not None and thread.call.name in names


def one_descriptor(thread: Thread, index: Index) -> Descriptor | None:
    """Return what a read, write or alike of one descriptor waits on; None for all other calls."""
    call = thread.call
    if call is None or not call.descriptors or call.name in NOT_ON_ONE_DESCRIPTOR:
        return None
    return index.descriptor(thread.pid, call.descriptors[0])


def call_words(call: Call) -> str:
    """Name a call and what it is about: "openat of /data/x"."""
    return f"{call.name} of {call.path}" if call.path else call.name


def futex_evidence(thread: Thread) -> tuple[str, ...]:
    """Say the futex call as it was read, and the words behind its address."""
    word = thread.call.word if thread.call else None
    if word is None:
        return ()
    values = " ".join(str(value) for value in word.values[:4])
    words = f", words there {values}" if values else ""
    where = f" in {word.path}" if word.path else f" in {word.region} memory"
    return (f"futex {word.address:#x}{where}, expects {word.expected}{words}",)
