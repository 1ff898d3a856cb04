"""What to do next about a death, as commands. Pure."""

from hangbisect.causes._death import about_memory, aftermath
from hangbisect.causes._death_by_signal import DUMPED
from hangbisect.model import Ending

_STDERR = "Run it again as: python -X faulthandler ... 2>error.txt"
_CORE = "Run it again after `ulimit -c unlimited`: the native stack is then read from its core."


def steps(root: int, ending: Ending) -> tuple[str, ...]:
    """Say how more can be known of this end."""
    found = aftermath(ending)
    if ending.signal in DUMPED:
        return (_core_step(root, found.core), *(() if ending.dump else (_STDERR,)))
    if ending.signal == "SIGKILL":
        if about_memory(found.words) is not None:
            return ()
        return ("Ask the kernel's log: sudo dmesg | grep -i 'killed process'",)
    return (_STDERR,) if ending.exception else ()


def _core_step(root: int, core: str) -> str:
    """Say where the native stack can be read; what takes cores away is named by its program."""
    if not core:
        return _CORE
    if not core.startswith("|"):
        return f"Read the core file with: gdb python {core}"
    if "systemd-coredump" in core:
        return f"Read the native stack with: coredumpctl info {root}"
    return f"The kernel handed the core to {core[1:]}: look there for the native stack."
