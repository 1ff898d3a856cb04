"""What a diagnosis keeps of a snapshot's threads: their stacks, without locals. Pure."""

from hangbisect.model.diagnosis import FrameNote, ThreadNote
from hangbisect.model.snapshot import Snapshot
from hangbisect.model.thread import Frame, Thread

Sources = dict[tuple[str, int], str]


def thread_notes(snapshot: Snapshot) -> tuple[ThreadNote, ...]:
    """Note the threads of the tree; those of other processes are left out."""
    inside = {process.pid for process in snapshot.processes if process.inside}
    sources = {(file, line): text for file, line, text in snapshot.sources}
    return tuple(_note(thread, sources) for thread in snapshot.threads if thread.pid in inside)


def _note(thread: Thread, sources: Sources) -> ThreadNote:
    return ThreadNote(
        pid=thread.pid,
        tid=thread.tid,
        name=thread.name,
        state=thread.state,
        call=thread.call.name if thread.call else "",
        frames=tuple(_frame(frame, sources) for frame in thread.frames),
        native=thread.native,
        libraries=thread.libraries,
    )


def _frame(frame: Frame, sources: Sources) -> FrameNote:
    text = sources.get((frame.file, frame.line), "").strip()
    return FrameNote(function=frame.function, file=frame.file, line=frame.line, text=text)
