"""What any Python offers: the audit event of an import that begins."""

import sys

from . import wire
from .recorder import Recorder


def install(recorder: Recorder) -> None:
    """Record the begin of imports, with the nearest frame outside importlib."""

    def hook(event: str, args: "tuple[object, ...]") -> None:
        if event != "import":
            return
        try:
            file, line = _importer()
            recorder.event(wire.IMPORT, str(args[0]), file, line)
        except BaseException as error:
            recorder.check(error)

    sys.addaudithook(hook)


def _importer() -> "tuple[str, int]":
    frame = sys._getframe(2) if hasattr(sys, "_getframe") else None
    while frame is not None:
        if "importlib" not in frame.f_code.co_filename:
            return frame.f_code.co_filename, frame.f_lineno or 0
        frame = frame.f_back
    return "", 0
