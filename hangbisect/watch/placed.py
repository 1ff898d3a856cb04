"""Give frames absolute paths: up to Python 3.8 a script keeps the path it was named by. Pure."""

import os
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from hangbisect.model import Flight, Frame, Thread


def placed(
    threads: Iterable[Thread], flights: Iterable[Flight], root_folder: str
) -> tuple[Thread, ...]:
    """Join relative files with the folder in which their process started."""
    folders = {flight.pid: flight.cwd for flight in flights if flight.cwd}
    return tuple(_thread(thread, folders, root_folder) for thread in threads)


def _thread(thread: Thread, folders: Mapping[int, str], otherwise: str) -> Thread:
    if not any(_is_relative(frame.file) for frame in thread.frames):
        return thread
    folder = folders.get(thread.pid, otherwise)
    return replace(thread, frames=tuple(_frame(frame, folder) for frame in thread.frames))


def _frame(frame: Frame, folder: str) -> Frame:
    if not _is_relative(frame.file):
        return frame
    return replace(frame, file=os.path.normpath(os.path.join(folder, frame.file)))


def _is_relative(file: str) -> bool:
    return bool(file) and not file.startswith("<") and not os.path.isabs(file)
