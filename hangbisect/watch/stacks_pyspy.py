"""Stacks read by py-spy, where pystack cannot: the one file that knows it.

It never pauses the target here (`--nonblocking`). It names fewer things than pystack: no native
frames, no waiting for the GIL, and no threads that Python does not know. It reads longer strings.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from hangbisect.model import Frame, Thread
from hangbisect.model._struct import Data
from hangbisect.watch._locals import keep
from hangbisect.watch.stack_error import StackError

DEADLINE = 3.0
"""Seconds for one dump; it takes hundredths."""


class _Variable(Data, frozen=True, kw_only=True):
    name: str
    repr: str | None = None


class _Frame(Data, frozen=True, kw_only=True):
    name: str
    filename: str
    line: int = 0
    locals: tuple[_Variable, ...] | None = None


class _Thread(Data, frozen=True, kw_only=True):
    os_thread_id: int | None = None
    """Missing below Python 3.11, which does not store it."""
    thread_name: str | None = None
    owns_gil: bool = False
    frames: tuple[_Frame, ...] = ()


def read(pid: int) -> tuple[Thread, ...]:
    """Read the threads that Python knows in the process; `tid` is 0 where it could not be told.

    Raises:
        StackError: py-spy is missing, failed, or did not answer in time.
    """
    program = _program()
    if program is None:
        raise StackError("py-spy is not installed")
    command = [program, "dump", "--nonblocking", "--json", "-l", "-l", "--pid", str(pid)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, check=False
        )
    except subprocess.TimeoutExpired:
        raise StackError(f"py-spy did not answer within {DEADLINE:g} s") from None
    except OSError as error:
        raise StackError(f"py-spy does not run: {error.strerror}") from None
    if done.returncode:
        raise StackError(f"py-spy: {complaint(done.stderr.decode(errors='replace'))}")
    return parse(pid, done.stdout)


def parse(pid: int, dump: bytes) -> tuple[Thread, ...]:
    """Read the text of `py-spy dump --json`.

    Raises:
        StackError: The text is not what this version of hangbisect knows.
    """
    try:
        threads = msgspec.json.decode(dump, type=tuple[_Thread, ...], strict=False)
    except msgspec.MsgspecError as error:
        raise StackError(f"py-spy gave unexpected output: {error}") from None
    return tuple(_thread(pid, thread) for thread in threads)


def _thread(pid: int, thread: _Thread) -> Thread:
    main = pid if thread.thread_name == "MainThread" else 0
    return Thread(
        pid=pid,
        tid=thread.os_thread_id or main,
        gil="holds" if thread.owns_gil else None,
        frames=tuple(_frame(frame) for frame in reversed(thread.frames)),
    )


def _frame(frame: _Frame) -> Frame:
    variables = {v.name: _unescaped(v.repr) for v in frame.locals or () if v.repr}
    return Frame(
        function=frame.name.rpartition(".")[2]
        or frame.name,  # it gives qualified names from 3.11 on
        file=frame.filename,
        line=frame.line,
        locals=keep(variables, frame.filename),
    )


def _unescaped(text: str) -> str:
    """Undo the one escape that py-spy writes into strings."""
    return text.replace('\\"', '"')


def complaint(stderr: str) -> str:
    """Take the last cause from what py-spy prints: the lines before its own stack trace."""
    lines = [line.strip() for line in stderr.partition("\nStack backtrace")[0].splitlines()]
    reasons = [line for line in lines if line and line != "Caused by:"]
    return reasons[-1].partition(": ")[2] or reasons[-1] if reasons else "failed without a word"


def _program() -> str | None:
    """Find the program that the py-spy wheel installs: beside our interpreter, or on PATH."""
    return shutil.which("py-spy", path=str(Path(sys.executable).parent)) or shutil.which("py-spy")
