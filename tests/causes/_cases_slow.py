"""Hand-made snapshots: starts that take long, and are at work."""

from typing import Any

from _parts import RUN, body, python, snapshot, thread

from hangbisect.model import Call, Descriptor, Process, Snapshot, Socket, Step

TORCH = Step(pid=100, kind="import", name="torch", file=RUN, line=3, began=2.0)
LINE = Step(pid=100, kind="statement", name="train()", file=RUN, line=9, began=2.0)
INSIDE = Step(
    pid=100, kind="statement", name="build()", file="/home/user/m.py", chain=(TORCH, LINE)
)
CC1 = Process(pid=201, parent=200, argv=("/usr/libexec/cc1plus", "-o", "/tmp/x.s"), state="R")
NINJA = Process(pid=200, parent=100, argv=("ninja", "-v"), state="S")
LISTS = Process(pid=200, parent=100, argv=("nvidia-smi", "-L"), state="R")
RECEIVES = Call(name="recvfrom", arguments=(3,), descriptors=(3,))
WEIGHTS = "/home/user/.cache/hub/model.safetensors.incomplete"


def _works(step: Step, *children: Process, call: Call | None = None, **tables: Any) -> Snapshot:
    row = thread(100, call or Call(name="running"), body(3), state="R", still=False)
    tables.setdefault("occasion", "within")
    tables.setdefault("moving", ("bytes read", "CPU"))
    return snapshot(processes=(python(step=step), *children), threads=(row,), **tables)


def _loads(received: int, **tables: Any) -> Snapshot:
    return _works(
        LINE,
        call=RECEIVES,
        descriptors=(
            Descriptor(pid=100, fd=3, kind="socket", target="socket:[70]", inode=70, mode="rw"),
            Descriptor(pid=100, fd=4, kind="file", target=WEIGHTS, inode=80, mode="w"),
        ),
        sockets=(
            Socket(
                inode=70,
                family="inet",
                state="ESTABLISHED",
                local="10.0.0.1:41000",
                remote="10.0.0.9:443",
                received=received,
                sent=400,
            ),
        ),
        **tables,
    )


CASES = {
    "slow_import/found-reads": _works(TORCH),
    "slow_import/found-statement-of-a-module": _works(INSIDE),
    "slow_import/not_found-nothing-moves": _works(TORCH, moving=()),
    "slow_import/not_found-statement": _works(LINE),
    "slow_import/not_found-out-of-patience": _works(TORCH, occasion="patience"),
    "compiling/found-compiler": _works(TORCH, NINJA, CC1),
    "compiling/not_found-other-child": _works(TORCH, LISTS),
    "compiling/not_found-stuck": _works(TORCH, NINJA, CC1, occasion="patience", moving=()),
    "downloading/found-into-a-file": _loads(48_000_000),
    "downloading/not_found-nothing-came": _loads(0),
    "downloading/not_found-nothing-moves": _loads(48_000_000, moving=()),
}
