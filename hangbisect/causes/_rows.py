"""What rules ask of a reading: the threads worth asking about, and where their code stands."""

from collections.abc import Iterator
from os.path import basename

from hangbisect.model import Certainty, Frame, Snapshot, Thread, code
from hangbisect.waits import Chain, Reading, ref_of

__all__ = [
    "from_afar",
    "function_of",
    "is_frame_of",
    "is_standard",
    "own_frame",
    "path_locals",
    "place",
    "ref_of",
    "source_of",
    "standard_tail",
    "suspects",
    "where",
    "witness",
]


def suspects(reading: Reading) -> tuple[Thread, ...]:
    """Return the threads that the answer is about: the blamed one, then its chain from the far end.

    A link to a process as a whole stands for its main thread.
    """
    refs = [reading.blamed, *reversed(witness(reading).threads), *reversed(reading.chain.threads)]
    found = (reading.index.thread(ref) for ref in refs)
    rows = [thread for thread in found if thread is not None]
    return tuple({(row.pid, row.tid): row for row in rows}.values())


def witness(reading: Reading) -> Chain:
    """Return the chain of the blamed thread."""
    return reading.chain_of(reading.blamed)


def from_afar(reading: Reading, thread: Thread) -> Certainty:
    """Say how far a wait at the end of a chain may be called the cause: "likely" or "possible".

    A link that could be ended by several only shows that this thread is one of them.
    """
    if ref_of(thread) in (reading.main, reading.blamed):
        return "likely"
    for link in (*reading.chain.links, *witness(reading).links):
        if link.waiter == ref_of(thread):
            break
        if link.holders is None or len(link.holders) != 1:
            return "possible"
    return "likely"


def function_of(frame: Frame) -> str:
    """Return the bare name of a frame's function: "join" for "Thread.join" (Python 3.11 on)."""
    return frame.function.rpartition(".")[2]


def source_of(snapshot: Snapshot, frame: Frame) -> str:
    """Return the text of the line where a frame stands, "" if it is not known."""
    wanted = (frame.file, frame.line)
    return next((text for file, line, text in snapshot.sources if (file, line) == wanted), "")


def is_standard(frame: Frame) -> bool:
    """Tell whether a frame belongs to Python's own library."""
    return code.is_standard(frame.file)


def is_frame_of(frame: Frame, file: str) -> bool:
    """Tell whether a frame belongs to a file of Python's own library: "subprocess.py"."""
    return code.standard_path(frame.file) == file


def own_frame(thread: Thread) -> Frame | None:
    """Return the innermost frame outside Python's own library, else the innermost of all."""
    own = [frame for frame in thread.frames if not is_standard(frame)]
    frames = own or list(thread.frames)
    return frames[-1] if frames else None


def standard_tail(thread: Thread) -> tuple[Frame, ...]:
    """Return the frames of Python's own library that the innermost other frame led to."""
    tail: list[Frame] = []
    for frame in reversed(thread.frames):
        if not is_standard(frame):
            break
        tail.insert(0, frame)
    return tuple(tail)


def path_locals(thread: Thread, depth: int = 4) -> Iterator[str]:
    """Yield the absolute paths among the local variables of the innermost frames, nearest first."""
    for frame in reversed(thread.frames[-depth:]):
        for local in frame.locals:
            if local.text and local.text.startswith("/"):
                yield local.text


def place(frame: Frame | None) -> str:
    """Say in a few characters where a frame stands: "run.py:3"."""
    return f"{basename(frame.file)}:{frame.line}" if frame else "an unknown line"


def where(thread: Thread) -> str:
    """Say where code stands in a thread: "run.py:3", or "pool.py:9 (called from run.py:3)".

    The second is for a package that was installed: the line that asked it is the user's own.
    """
    frame = own_frame(thread)
    users = [row for row in thread.frames if code.is_own(row.file)]
    if frame is None or not users or not code.is_installed(frame.file):
        return place(frame)
    return f"{place(frame)} (called from {place(users[-1])})"
