"""What the hooks write through: the live stack of each thread, and a ring that survives fork.

An error of ours ends the recording and goes no further. An error that came in from outside while
our code ran (a signal handler of the program, Ctrl-C) is none of ours and is let through.
"""

import os
from _thread import _local, get_ident

from . import ring, startline, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .cursor import Cursor

try:
    from _thread import get_native_id
except ImportError:  # not on every platform
    get_native_id = get_ident

_OURS = __name__.rpartition(".")[0]


class Thread:
    """A thread's live stack, and its slot in the record."""

    __slots__ = ("at", "cursors", "ring", "stack", "tid")

    def __init__(self) -> None:
        self.stack: "list[tuple[int, str, str, int]]" = []
        self.ring: "ring.Ring | None" = None
        self.at: "int | None" = None
        self.cursors: "dict[int, Cursor]" = {}
        """For each depth of the stack, how far the line table of the module there was read."""
        self.tid = 0

    def attach(self, to: ring.Ring) -> None:
        """Take a slot in a (new) record and write down there what is in progress."""
        self.ring = to
        self.tid = get_native_id() & wire.MASK
        self.at = to.claim(self.tid)
        if self.at is not None:
            for depth, entry in enumerate(self.stack, 1):
                to.level(self.at, depth, entry, self.tid)

    def __del__(self, getpid=os.getpid) -> None:  # type: ignore[no-untyped-def]
        # The thread has ended. In a forked child this runs for the threads of the parent, too.
        if self.ring is not None and self.at is not None and self.ring.pid == getpid():
            self.ring.release(self.at)


class Recorder:
    """Writes what happens in this process; opens a record of its own after a fork."""

    __slots__ = ("after_open", "failed", "folder", "local", "main", "pid", "ring")

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.local = _local()
        self.main = get_ident()
        self.ring: "ring.Ring | None" = None
        self.pid = os.getpid()
        self.failed = False
        self.after_open: "Callable[[ring.Ring], None]" = _nothing

    def open(self, wanted: wire.Geometry, notes: "list[str]") -> bool:
        """Open this process's record; False if there is no room or no right to."""
        self.pid = os.getpid()
        self.ring = None
        try:
            room = wire.BUDGET - sum(wire.size_of(name) for name in os.listdir(self.folder))
            geometry = wire.geometry_for(room, wanted)
            if geometry is None:
                self._lost()
                return False
            self.ring = ring.Ring(self.folder, geometry, startline.pairs(notes))
        except OSError:
            return False
        thread = self.thread()
        if thread is not None:
            self.ring.event(wire.START_EVENT, "", "", 0, thread.tid)
        self.after_open(self.ring)
        return True

    def thread(self) -> "Thread | None":
        """Give the calling thread's state; None if this process has no record."""
        if os.getpid() != self.pid and not self.failed:
            self.main = get_ident()
            self.open(wire.SMALL, [])
        if self.ring is None or self.failed:
            return None
        try:
            thread: Thread = self.local.thread
        except AttributeError:
            thread = self.local.thread = Thread()
        if thread.ring is not self.ring:
            thread.attach(self.ring)
        return thread

    def begin(
        self, kind: int, name: str, file: str, line: int, getpid: "Callable[[], int]" = os.getpid
    ) -> "int | None":
        """Note that something begins; return what `end` needs to know. Runs twice an import."""
        thread = None
        depth = 0
        try:
            thread = getattr(self.local, "thread", None)
            if thread is None or thread.ring is not self.ring or getpid() != self.pid:
                thread = self.thread()
            if thread is None or thread.ring is None:
                return None
            stack = thread.stack
            depth = len(stack)
            stack.append((kind, name, file, line))
            if thread.at is None:
                thread.ring.event(kind, name, file, line, thread.tid)
            else:
                thread.ring.enter(thread.at, depth, kind, name, file, line, thread.tid)
            return depth
        except BaseException as error:
            if thread is not None:
                del thread.stack[depth:]
            self.check(error)
            return None

    def end(self, depth: "int | None", kind: int, getpid: "Callable[[], int]" = os.getpid) -> None:
        """Note that what `begin` returned `depth` for has ended; `kind` 0 writes no event."""
        if depth is None:
            return
        try:
            thread = getattr(self.local, "thread", None)
            if thread is None or thread.ring is not self.ring or getpid() != self.pid:
                thread = self.thread()
            if thread is None or thread.ring is None:
                return
            stack = thread.stack
            if len(stack) <= depth:
                return
            name = stack[depth][1]
            del stack[depth:]
            if thread.at is not None:
                thread.ring.lower(thread.at, depth)
            if kind:
                thread.ring.event(kind, name, "", 0, thread.tid)
        except BaseException as error:
            self.check(error)

    def event(self, kind: int, name: str = "", file: str = "", line: int = 0) -> None:
        """Note that something happened."""
        try:
            thread = self.thread()
            if thread is not None and thread.ring is not None:
                thread.ring.event(kind, name, file, line, thread.tid)
        except BaseException as error:
            self.check(error)

    def check(self, error: BaseException) -> None:
        """End the recording if the error is ours; raise it again if it is not."""
        if is_foreign(error):
            raise error
        self.failed = True
        self.pid = -1

    def _lost(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        descriptor = os.open(os.path.join(self.folder, wire.LOST_FILE), flags, 0o600)
        os.write(descriptor, b".")
        os.close(descriptor)


def is_foreign(error: BaseException) -> bool:
    """Tell whether an error came from outside our code: a signal handler ran while we did."""
    if not isinstance(error, Exception):
        return not isinstance(error, GeneratorExit)
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and not _is_ours(trace.tb_frame.f_globals.get("__name__"))


def _is_ours(module: object) -> bool:
    return isinstance(module, str) and module.startswith(_OURS)


def _nothing(opened: ring.Ring) -> None:
    """Do nothing: nobody has to know of a new record."""
