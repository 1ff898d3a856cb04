"""Why looking into a process was refused, and what would allow it: each reason has its remedy."""

import os
import sys
from pathlib import Path

from hangbisect.model import Gap

_YAMA = Path("/proc/sys/kernel/yama/ptrace_scope")
_SCOPES = {
    1: (
        "the kernel lets only ancestors look into a process (kernel.yama.ptrace_scope = 1)",
        "Start the program under hangbisect, or run hangbisect with sudo.",
    ),
    2: (
        "the kernel lets only root look into a process (kernel.yama.ptrace_scope = 2)",
        "Run hangbisect with sudo.",
    ),
    3: (
        "the kernel forbids looking into processes (kernel.yama.ptrace_scope = 3)",
        "Only a restart of the machine with another setting allows it.",
    ),
}
"""Yama's levels: https://docs.kernel.org/admin-guide/LSM/Yama.html."""


def refusal(pid: int, what: str, otherwise: str) -> Gap:
    """Say why the process could not be looked into.

    Args:
        pid: The process.
        what: What was wanted: "Python stacks of process 4711".
        otherwise: The reader's own words, given when no right is missing.
    """
    status = _status(pid)
    if sys.platform == "linux" and (not status or status.get("State", "Z")[:1] in "ZX"):
        return Gap(what=what, why=f"process {pid} has ended")
    if sys.platform == "win32" or may_read(pid):
        return Gap(what=what, why=otherwise)
    why, remedy = _missing_right(status.get("Uid", "").split())
    return Gap(what=what, why=why, remedy=remedy)


def traced(pid: int, tid: int, what: str) -> Gap | None:
    """Say who is attached to the thread as a debugger, if anybody is: there can be only one."""
    try:
        tracer = int(_status(pid, tid).get("TracerPid", "0"))
    except ValueError:  # not a number: a kernel we do not know
        return None
    if tracer == 0:
        return None
    why = f"process {tracer} is attached to process {pid} as a debugger, and only one can be"
    return Gap(what=what, why=why, remedy=f"Detach process {tracer}, then look again.")


def may_read(pid: int) -> bool:
    """Tell whether the process's memory may be read: the same check as for attaching to it."""
    if sys.platform != "linux":
        return True
    try:
        with open(f"/proc/{pid}/mem", "rb"):
            return True
    except PermissionError:
        return False
    except OSError:  # it has ended: no right is missing
        return True


def _missing_right(owners: list[str]) -> tuple[str, str]:
    """Read (why, remedy) from whose process it is and from the kernel's hardening."""
    if _is_foreign(owners):
        return "it belongs to another user", "Run hangbisect as that user, or with sudo."
    if (known := _SCOPES.get(_scope())) is not None:
        return known
    return (
        "it forbids being looked into (prctl PR_SET_DUMPABLE), or a container's rules do",
        "In a container, allow it with --cap-add=SYS_PTRACE; elsewhere run hangbisect with sudo.",
    )


def _is_foreign(owners: list[str]) -> bool:
    """Tell whether one of the process's users is not ours, and we are not root."""
    if sys.platform == "win32":
        return False
    ours = str(os.geteuid())
    return ours != "0" and any(owner != ours for owner in owners[:3])


def _scope() -> int:
    try:
        return int(_YAMA.read_text())
    except (OSError, ValueError):  # a kernel without Yama
        return 0


def _status(pid: int, tid: int | None = None) -> dict[str, str]:
    """Read /proc/PID/status, or that of one thread; empty where there is none."""
    path = Path(f"/proc/{pid}/status") if tid is None else Path(f"/proc/{pid}/task/{tid}/status")
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:  # gone, or a platform without /proc
        return {}
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
