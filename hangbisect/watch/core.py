"""The core file that a crash left: found by the kernel's pattern, and the stack in it.

https://man7.org/linux/man-pages/man5/core.5.html
"""

import glob
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from hangbisect.host import Question
from hangbisect.host.proc import Proc
from hangbisect.model import Facts, Gap, NativeFrame, PathFact, Thread
from hangbisect.watch import stacks_pystack
from hangbisect.watch.stack_error import StackError

_SPECIFIER = re.compile(r"%(.?)")
_HANDLER = "__restore_rt"
"""The frame below which the kernel interrupted the thread: glibc's sigreturn."""
_SENT = ("kill", "raise", "__pthread_kill_implementation", "pthread_kill", "tgkill")
_EVALUATES = "_PyEval_EvalFrameDefault"
_MOST = 12
REMEDY = "`ulimit -c unlimited` before the run lets the kernel keep a core file"


def pattern(proc: Proc, pid: int, cwd: str) -> str:
    """Return where the kernel puts the core of a process, as a glob; "|" and a program if so."""
    text = proc.peek("sys/kernel/core_pattern").strip()
    if text.startswith("|"):
        return text.split()[0]
    expanded = expand(text, pid)
    if proc.peek("sys/kernel/core_uses_pid").strip() == "1" and "%p" not in text:
        expanded += f".{pid}"
    return os.path.join(glob.escape(cwd), expanded)


def expand(text: str, pid: int) -> str:
    """Make a glob of a core pattern: what cannot be known beforehand may be anything. Pure."""
    known = {"p": str(pid), "%": "%", "": ""}
    return _SPECIFIER.sub(lambda match: known.get(match[1], "*"), text)


def core(question: Question) -> Iterator[Facts]:
    """Find the core file of `paths[0]`, a glob, and read the stacks in it.

    `paths[1]` is the executable. Call it in a helper: the folder may be on a dead mount.
    """
    file = _newest(question.paths[0], time.monotonic() - question.began)
    if not file:
        return
    yield Facts(paths=(PathFact(path=file, exists=True, kind="file"),))
    try:
        threads = stacks_pystack.read_core(question.root, Path(file), Path(question.paths[1]))
    except StackError as error:
        gap = Gap(
            what=f"the stacks in {file}", why=str(error), remedy=f"gdb {question.paths[1]} {file}"
        )
        yield Facts(gaps=(gap,))
    else:
        yield Facts(threads=threads)


def fault_stack(threads: Sequence[Thread]) -> tuple[NativeFrame, ...]:
    """Return the native stack where a fault interrupted it, innermost first, down to Python. Pure.

    () where no handler ran, or where the signal was sent by a call instead of a fault.
    """
    for thread in threads:
        inner = thread.native[::-1]
        at = next((i for i, frame in enumerate(inner) if frame.symbol == _HANDLER), None)
        below = inner[at + 1 :] if at is not None else ()
        if below and below[0].symbol not in _SENT:
            end = next((i for i, f in enumerate(below) if f.symbol == _EVALUATES), len(below))
            return below[: min(end, _MOST)]
    return ()


def _newest(wanted: str, age: float) -> str:
    """Return the newest file that fits and is no older than so many seconds, or ""."""
    oldest = time.time() - age - 1.0
    found = []
    for name in glob.glob(wanted):
        try:
            found.append((os.stat(name).st_mtime, name))
        except OSError:
            continue
    when, name = max(found, default=(0.0, ""))
    return name if when >= oldest else ""
