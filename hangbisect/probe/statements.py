"""Where the entry script stands, read at each import (see `lines` for more from 3.12 on)."""

from _thread import get_ident

from . import wire
from .recorder import Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType

    from .ring import Ring

_MAIN = ("__main__", "__mp_main__")


class Where:
    """Knows the statement of the entry script that was seen last."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._last = ("", 0)
        self.code: "CodeType | None" = None
        """The entry script's code, while its lines are listened to."""
        self.entry: "CodeType | None" = None
        """The entry script's code, where its frame is to be kept."""
        self.frame: "FrameType | None" = None
        """Its frame, kept to see in the end where it stopped (3.8 to 3.11)."""
        self.notes: "list[str]" = []
        """What cannot be had here, in words."""

    def seen(self, frame: "FrameType | None") -> None:
        """Look for the entry script's statement below an import that begins."""
        recorder = self._recorder
        thread = getattr(recorder.local, "thread", None)
        if thread is not None and thread.stack:
            return  # what is nested in an import cannot have moved the entry script
        if self.code is not None or get_ident() != recorder.main:
            return
        main = _main_frame(frame)
        if main is not None:
            if main.f_code is self.entry:
                self.frame, self.entry = main, None
            self.note(main.f_code.co_filename, main.f_lineno or 0)

    def note(self, file: str, line: int) -> None:
        """Write down that the entry script stands at this line."""
        thread = self._recorder.thread()
        if thread is None or thread.ring is None or (file, line) == self._last:
            return
        self._last = (file, line)
        self.again(thread.ring)
        thread.ring.event(wire.STATEMENT, "", file, line, thread.tid)

    def again(self, to: "Ring") -> None:
        """Write the entry statement down in a (new) record."""
        file, line = self._last
        if file:
            to.entry(file, line)

    def enters(self, code: "CodeType") -> None:
        """Listen to the entry script's lines (3.12 on), or keep its frame for the end."""
        self.entry = code

    def executes(self, code: "CodeType", name: str) -> None:
        """Listen to the calls of the module `name` that is about to run (3.12 on)."""

    def give_way(self) -> None:
        """Stop listening to lines: a debugger or a tracer wants them."""


def _main_frame(frame: "FrameType | None") -> "FrameType | None":
    """Give the innermost frame that runs the entry script itself, not code made from a string."""
    found = None
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and frame.f_globals.get("__name__") in _MAIN:
            found = frame
            if not code.co_filename.startswith("<"):
                return found
        frame = frame.f_back
    return found
