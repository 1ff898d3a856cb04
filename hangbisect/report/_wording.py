"""The same words for the same things in every report for people."""

import os
import re
import shlex

from hangbisect.model import Diagnosis, Step, ThreadRef

# Control characters, and those that reorder or hide text, from a snapshot that a stranger wrote.
_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def clean(text: str, limit: int = 400) -> str:
    """Return text as one line that a terminal shows and does not obey, shortened to the limit."""
    line = _UNSAFE.sub(_escape, re.sub(r"\s*[\r\n]+\s*", " ", text[: 4 * limit]))
    return line if len(line) <= limit else line[: limit - 3] + "..."


def _escape(match: re.Match[str]) -> str:
    return match.group().encode("unicode-escape").decode()


def duration(seconds: float) -> str:
    """Say a length of time: "0.4 s", "12 s", "3 min 5 s", "2 h 10 min"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def command(argv: tuple[str, ...], limit: int = 60) -> str:
    """Return a command line as one would type it, without the program's folder, shortened."""
    if not argv:
        return "(unknown command)"
    return clean(shlex.join((os.path.basename(argv[0]) or argv[0], *argv[1:])), limit)


def path(file: str, cwd: str) -> str:
    """Return a path as the user would name it: relative inside the working directory."""
    inside = cwd and file.startswith(cwd.rstrip("/") + "/")
    return clean(file[len(cwd.rstrip("/")) + 1 :] if inside else file)


def place(step: Step, cwd: str) -> str:
    """Say where a step stands: "run.py:3", or "" if that is not known."""
    if not step.file:
        return ""
    return f"{path(step.file, cwd)}:{step.line}" if step.line else path(step.file, cwd)


def action(step: Step, limit: int = 60) -> str:
    """Say what a step does: "import torch", the statement's text, or the phase."""
    match step.kind:
        case "import":
            return f"import {clean(step.name, limit)}"
        case "before-python":
            return "start of the interpreter"
        case "statement" | "phase":
            return clean(step.name, limit) or "statement"


def done(step: Step, cwd: str) -> str:
    """Say a step with its place: "import torch at run.py:3"; a line without text is its place."""
    where = place(step, cwd)
    if step.kind == "statement" and not step.name and where:
        return where
    return f"{action(step)} at {where}" if where else action(step)


def thread(ref: ThreadRef, diagnosis: Diagnosis) -> str:
    """Name a thread, and its process where that is not the target."""
    if ref.tid == 0:
        return f"process {ref.pid}{_command_of(ref.pid, diagnosis)}"
    name = "main thread" if ref.tid == ref.pid else f"thread {ref.tid}"
    if ref.pid == diagnosis.target.pid:
        return name
    return f"{name} of process {ref.pid}{_command_of(ref.pid, diagnosis)}"


def _command_of(pid: int, diagnosis: Diagnosis) -> str:
    note = next((note for note in diagnosis.processes if note.pid == pid and note.argv), None)
    return f" ({command(note.argv, 40)})" if note else ""
