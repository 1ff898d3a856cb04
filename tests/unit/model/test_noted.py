"""What a diagnosis keeps of a snapshot's threads."""

from hangbisect.model import (
    Call,
    Frame,
    FrameNote,
    Local,
    Process,
    Snapshot,
    System,
    Thread,
    ThreadNote,
)
from hangbisect.model.noted import thread_notes

FRAME = Frame(
    function="main", file="/srv/run.py", line=3, locals=(Local(name="path", text="/srv/data"),)
)


def test_stacks_are_kept_with_their_source_and_without_locals() -> None:
    snapshot = Snapshot(
        system=System(platform="linux", machine="x86_64"),
        root=7,
        processes=(Process(pid=7, parent=1), Process(pid=8, parent=1, inside=False)),
        threads=(
            Thread(pid=7, tid=7, state="S", call=Call(name="futex"), frames=(FRAME,)),
            Thread(pid=8, tid=8),
        ),
        sources=(("/srv/run.py", 3, "    queue.get()\n"),),
    )

    notes = thread_notes(snapshot)

    frame = FrameNote(function="main", file="/srv/run.py", line=3, text="queue.get()")
    assert notes == (ThreadNote(pid=7, tid=7, state="S", call="futex", frames=(frame,)),)
