"""What to do next about a death, as commands. Pure."""

from hangbisect.causes._death import LEADS, about_memory, aftermath, leads
from hangbisect.causes._death_by_signal import DUMPED
from hangbisect.model import Ending

_STDERR = "Run it again as: python -X faulthandler ... 2>error.txt"
_CATCH = "Catch it there, and write it down: traceback.print_exc(file=open('error.txt', 'w'))"
_LOG = "Ask the kernel's log: sudo dmesg | grep -i 'killed process'"
_SERVICES = "Ask the logs of services, if there are any: sudo journalctl -S -10m | grep -i kill"
_MOST = "See how much memory it takes at most: /usr/bin/time -v python ..."
_CALLER = "See who calls exit: strace -f -k -e trace=exit_group python ..."
_ALONE = "Run that line alone in an interactive Python, to see what it says and does."
_CORE = "Run it again after `ulimit -c unlimited`: the native stack is then read from its core."


def steps(root: int, ending: Ending) -> tuple[str, ...]:
    """Say how more can be known of this end."""
    found = aftermath(ending)
    if ending.signal in DUMPED:
        return (_core_step(root, found.core), *(() if ending.dump else (_STDERR,)))
    if ending.signal == "SIGKILL":
        if about_memory(found.words) is not None:
            return (_MOST,)
        return (_SERVICES if found.is_log_read else _LOG,)
    if ending.exception == "MemoryError":
        return (_MOST,)
    if ending.exception:
        return (_STDERR if leads(ending, 2) in ("", *LEADS) else _CATCH,)
    return (_CALLER,) if ending.way == "at-once" else (_ALONE,)


def _core_step(root: int, core: str) -> str:
    """Say where the native stack can be read; what takes cores away is named by its program."""
    if not core:
        return _CORE
    if not core.startswith("|"):
        return f"Read the core file with: gdb python {core}"
    if "systemd-coredump" in core:
        return f"Read the native stack with: coredumpctl info {root}"
    return f"The kernel handed the core to {core[1:]}: look there for the native stack."
