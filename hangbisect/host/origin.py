"""What a process was started with: its user, and the few variables that tell its role and our way.

Read from /proc/PID/environ, which holds what it was started with and may block on a sick process.
Nothing else of the environment is kept.
"""

import os
from collections.abc import Mapping

from msgspec.structs import replace

from hangbisect.host.proc import Proc
from hangbisect.model import Entrance, Process

FOLDER = "HANGBISECT_FOLDER"
INJECT = "hangbisect/probe/inject"
"""How the folder of the probe ends that is first on PYTHONPATH."""
_NAMES = """
    RANK LOCAL_RANK WORLD_SIZE GROUP_RANK NODE_RANK TORCHELASTIC_RUN_ID SLURM_PROCID SLURM_NTASKS
    OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE
"""
TELLING = frozenset(_NAMES.split())
"""The variables that launchers give to ranks; their values are numbers and names of runs."""


def with_origin(proc: Proc, row: Process) -> Process:
    """Add what the environment of a process tells."""
    try:
        data = proc.read(f"{row.pid}/environ")
    except PermissionError:
        return row
    variables = parse_environ(data)
    telling = tuple((name, variables[name]) for name in sorted(TELLING & variables.keys()))
    executable = proc.link(f"{row.pid}/exe").removesuffix(" (deleted)")
    fenced = bool(executable) and os.path.exists(f"{executable}._pth")
    way = "fenced" if fenced else entrance(variables)
    return replace(row, variables=telling, entrance=way)


def parse_environ(text: str) -> Mapping[str, str]:
    """Parse the text of /proc/PID/environ; empty too if it is gone."""
    pairs = (entry.partition("=") for entry in text.split("\0") if "=" in entry)
    return {name: value for name, _, value in pairs}


def entrance(variables: Mapping[str, str]) -> Entrance:
    """Say whether the probe's way in was still there; "" where there is no environment to tell."""
    path = variables.get("PYTHONPATH")
    if path is not None and any(part.rstrip("/").endswith(INJECT) for part in path.split(":")):
        return "open" if FOLDER in variables else "no folder"
    if not variables:
        return "emptied"
    if path is not None:
        return "replaced"
    return "dropped" if FOLDER in variables else "scrubbed"


def owner(status: str) -> int | None:
    """Return the effective user from the text of /proc/PID/status."""
    line = next((row for row in status.splitlines() if row.startswith("Uid:")), "")
    fields = line.split()
    return int(fields[2]) if len(fields) > 2 and fields[2].isdigit() else None
