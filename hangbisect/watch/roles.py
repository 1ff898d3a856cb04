"""What each process is to the program: by its command line, variables and family. Pure."""

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from hangbisect.model import Process, Thread

LAUNCHERS = {
    "torch.distributed.run": "elastic agent",
    "torch.distributed.launch": "elastic agent",
    "torchrun": "elastic agent",
    "accelerate.commands.launch": "launcher",
    "accelerate launch": "launcher",
    "deepspeed.launcher.runner": "launcher",
    "deepspeed.launcher.launch": "launcher",
    "deepspeed": "launcher",
    "ray": "launcher",
    "llamafactory-cli": "launcher",
}
"""Python programs, by module or by the name of their script, that start the ones that train."""
_SERVANTS = {
    "from multiprocessing.resource_tracker": "resource tracker",
    "from multiprocessing.semaphore_tracker": "resource tracker",
    "from multiprocessing.forkserver": "fork server",
    "from multiprocessing.spawn": "worker",
    "--multiprocessing-fork": "worker",
    "torch/_inductor/compile_worker": "compile worker",
    "ray/_private/workers/default_worker.py": "worker",
    "joblib.externals.loky": "worker",
}
"""What the command lines of processes hold that a library starts for its own work."""
RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "LOCAL_RANK")
"""Variables that hold a rank; Lightning sets the last one only."""
LOADER = "DataLoader worker"
_LOADER_FILE = re.compile(r"torch/utils/data/_utils/worker\.py$")
_TRAINS = "trainer"


def servant(argv: Sequence[str]) -> str:
    """Return the role of a process that a library started for its own work; "" if it is none."""
    text = " ".join(argv[:8])
    return next((role for sign, role in _SERVANTS.items() if sign in text), "")


def launcher(argv: Sequence[str]) -> str:
    """Return the role of a known launcher written in Python; "" if it is none."""
    for at, argument in enumerate(argv[:6]):
        name = os.path.basename(argument)
        pair = f"{name} {argv[at + 1]}" if at + 1 < len(argv) else name
        module = argument if at and argv[at - 1] == "-m" else name
        for word in (module, pair):
            if word in LAUNCHERS and (at < 2 or argv[at - 1].startswith("-") or "/" in argument):
                return LAUNCHERS[word]
    return ""


def rank(variables: Mapping[str, str]) -> str:
    """Return the rank that a process was started as; "" if it is none."""
    names = (*RANKS, "SLURM_PROCID") if int_of(variables.get("SLURM_NTASKS")) > 1 else RANKS
    return next((variables[name] for name in names if variables.get(name, "").isdigit()), "")


def int_of(text: str | None) -> int:
    """Return the number that a variable holds, 0 if none."""
    return int(text) if text and text.isdigit() else 0


def loaders(threads: Iterable[Thread]) -> frozenset[int]:
    """Name the processes whose stack shows that they are workers of a DataLoader."""
    return frozenset(
        t.pid
        for t in threads
        if t.pid == t.tid and any(_LOADER_FILE.search(frame.file) for frame in t.frames)
    )


def roles(
    rows: Sequence[Process],
    environments: Mapping[int, Mapping[str, str]],
    loading: Collection[int] = (),
) -> Mapping[int, str]:
    """Give each process of a tree its role.

    `environments` are the variables of processes as their probes saw them, `loading` are workers
    of a DataLoader. A rank hands its variables down: whoever has the same as a Python process above
    it is not that rank.
    """
    by_pid = {row.pid: row for row in rows}
    ranks = {r.pid: rank({**dict(r.variables), **environments.get(r.pid, {})}) for r in rows}
    found: dict[int, str] = {}
    for row in rows:  # parents come before their children
        above = _python_above(row, by_pid)
        found[row.pid] = (
            (LOADER if row.pid in loading else "")
            or _own(row, above)
            or _by_rank(ranks, row, above)
            or _by_family(row, above, found)
        )
    _name_those_above(rows, by_pid, found)
    return found


def _own(row: Process, above: Process | None) -> str:
    if not _is_python(row):
        return ""
    forked = above is not None and above.pid == row.parent and above.argv == row.argv
    if forked and row.argv:
        return "worker"
    return servant(row.argv) or launcher(row.argv)


def _by_rank(ranks: Mapping[int, str], row: Process, above: Process | None) -> str:
    mine = ranks[row.pid]
    handed_down = above is not None and ranks.get(above.pid) == mine
    return f"rank {mine}" if mine and _is_python(row) and not handed_down else ""


def _by_family(row: Process, above: Process | None, found: Mapping[int, str]) -> str:
    if not _is_python(row):
        return "helper"
    starts = set(LAUNCHERS.values())
    return _TRAINS if above is None or found.get(above.pid) in starts else "helper"


def _name_those_above(
    rows: Sequence[Process], by_pid: Mapping[int, Process], found: dict[int, str]
) -> None:
    """Call a launcher what is above those that train: a shell, npm, a server with a button."""
    starts = set(LAUNCHERS.values())
    for row in rows:
        role = found[row.pid]
        above = by_pid.get(row.parent)
        while above is not None and (role in starts or role == _TRAINS or role.startswith("rank ")):
            plain = found[above.pid] == "helper" or (role in starts and found[above.pid] == _TRAINS)
            if plain:
                found[above.pid] = "launcher"
            above = by_pid.get(above.parent) if above.parent != above.pid else None


def _python_above(row: Process, by_pid: Mapping[int, Process]) -> Process | None:
    above, passed = by_pid.get(row.parent), {row.pid}
    while above is not None and above.pid not in passed:
        if _is_python(above):
            return above
        passed.add(above.pid)
        above = by_pid.get(above.parent)
    return None


def _is_python(row: Process) -> bool:
    return bool(row.python or row.hooked)
