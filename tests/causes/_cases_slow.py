"""Hand-made snapshots: starts that take long, and are at work."""

from typing import Any

from _parts import RUN, body, python, snapshot, thread
from msgspec.structs import replace

from hangbisect.model import (
    Build,
    Call,
    Descriptor,
    Motion,
    Pace,
    Process,
    Snapshot,
    Socket,
    Step,
)

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

BUSY = Pace(pid=100, seconds=10.0, cpu=0.52, read=100e6, stored=80e6)
ARRIVES = Pace(pid=100, seconds=10.0, received=40e6)
WAITS = Call(name="futex", timed=True)
INDEX = Descriptor(
    pid=100,
    fd=5,
    kind="file",
    target="/data/index.pickle",
    position=500_000_000,
    size=2_000_000_000,
)
LISTED = Build(pid=200, folder="/home/user/b", built=12, seconds=30.0, missing=78, total=90)


def _works(step: Step, *children: Process, call: Call | None = None, **tables: Any) -> Snapshot:
    row = thread(100, call or Call(name="running"), body(3), state="R", still=False)
    tables.setdefault("occasion", "within")
    tables.setdefault("moving", ("bytes read", "CPU"))
    return snapshot(processes=(python(step=step), *children), threads=(row,), **tables)


def _loads(
    received: int,
    call: Call = RECEIVES,
    position: int | None = None,
    size: int | None = None,
    **tables: Any,
) -> Snapshot:
    file = Descriptor(
        pid=100, fd=4, kind="file", target=WEIGHTS, inode=80, mode="w", position=position, size=size
    )
    return _works(
        LINE,
        call=call,
        descriptors=(
            Descriptor(pid=100, fd=3, kind="socket", target="socket:[70]", inode=70, mode="rw"),
            file,
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
    "slow_import/found-import-with-rates": _works(
        TORCH, paces=(BUSY,), motions=(Motion(what="bytes read", since=3.0),)
    ),
    "slow_import/found-statement-amid-a-file": _works(LINE, paces=(BUSY,), descriptors=(INDEX,)),
    "slow_import/found-statement-that-pages-in": _works(
        LINE, paces=(Pace(pid=100, seconds=10.0, major_faults=900.0, stored=4e6),)
    ),
    "slow_import/not_found-statement-with-a-file-read": _works(
        LINE, descriptors=(replace(INDEX, position=2_000_000_000),)
    ),
    "slow_import/not_found-nothing-moves": _works(TORCH, moving=()),
    "slow_import/not_found-statement": _works(LINE),
    "slow_import/not_found-out-of-patience": _works(TORCH, occasion="patience"),
    "compiling/found-compiler": _works(TORCH, NINJA, CC1),
    "compiling/found-with-a-list": _works(
        TORCH, NINJA, CC1, paces=(Pace(pid=201, seconds=10.0, cpu=0.97),), builds=(LISTED,)
    ),
    "compiling/found-without-a-list": _works(
        TORCH, CC1, builds=(Build(pid=201, folder="/home/user/b", built=3, seconds=40.0),)
    ),
    "compiling/found-nothing-built-yet": _works(
        TORCH, NINJA, CC1, builds=(replace(LISTED, built=0, missing=90),)
    ),
    "compiling/not_found-other-child": _works(TORCH, LISTS),
    "compiling/not_found-stuck": _works(TORCH, NINJA, CC1, occasion="patience", moving=()),
    "downloading/found-into-a-file": _loads(48_000_000),
    "downloading/found-with-a-rate": _loads(48_000_000, paces=(ARRIVES,)),
    "downloading/found-by-other-threads": _loads(
        48_000_000, call=WAITS, paces=(replace(ARRIVES, received=2e6),)
    ),
    "downloading/found-into-a-file-of-full-length": _loads(
        48_000_000, paces=(ARRIVES,), position=48_000_000, size=4_048_000_000
    ),
    "downloading/not_found-few-bytes-elsewhere": _loads(
        48_000_000, call=WAITS, paces=(replace(ARRIVES, received=3.0),)
    ),
    "downloading/not_found-nothing-came": _loads(0),
    "downloading/not_found-nothing-moves": _loads(48_000_000, moving=()),
}
