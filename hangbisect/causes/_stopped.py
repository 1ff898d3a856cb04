"""Why a process is stopped: which signal did it, and whether it was the terminal's."""

from hangbisect.model import Process, Thread
from hangbisect.waits import Reading

NAMES = {19: "SIGSTOP", 20: "SIGTSTP", 21: "SIGTTIN", 22: "SIGTTOU"}
"""Signals that stop a process, by Linux's numbers: a snapshot may be read on another system."""
OF_TERMINAL = ("SIGTTIN", "SIGTTOU")
READS = ("read", "readv", "poll", "ppoll", "select", "pselect6")
WRITES = ("write", "writev", "ioctl")


def is_stopped(thread: Thread, process: Process) -> bool:
    """Tell whether a process is stopped by a signal (not by a debugger's hold)."""
    return thread.state == "T" or process.state == "T"


def stop_signal(reading: Reading, thread: Thread, process: Process) -> str:
    """Name the signal that stopped a process, "" if neither its parent nor its call tells.

    Where the parent could not say, a background process in a call on its own terminal was stopped
    by that terminal.
    """
    if process.stop_signal is not None:
        return NAMES.get(process.stop_signal, f"signal {process.stop_signal}")
    if not is_background(process) or not _is_on_terminal(reading, thread):
        return ""
    return "SIGTTIN" if thread.call and thread.call.name in READS else "SIGTTOU"


def is_background(process: Process) -> bool:
    """Tell whether a process has a terminal of which another group is in the foreground."""
    return process.terminal != 0 and process.foreground > 0 and process.group != process.foreground


def _is_on_terminal(reading: Reading, thread: Thread) -> bool:
    call = thread.call
    if call is None or call.name not in READS + WRITES:
        return False
    watched = call.descriptors or call.arguments[:1]
    rows = (reading.index.descriptor(thread.pid, fd) for fd in watched)
    return any(row is not None and row.kind == "terminal" for row in rows)
