"""Gather what can be found about an end: once before the start, the rest when the target has gone.

The kernel's own small files are read here; all that may lie on a file system is read by a look.
"""

import os
from collections.abc import Sequence

from msgspec.structs import replace

from hangbisect.host import Question, memory_group
from hangbisect.host.kernel_log import KernelLog
from hangbisect.host.proc import Proc
from hangbisect.host.streams import streams
from hangbisect.model import (
    Aftermath,
    Ending,
    Facts,
    Fallen,
    Flight,
    Gap,
    KernelWord,
    Leaving,
    Memory,
)
from hangbisect.record import Record
from hangbisect.watch.climb import Looks
from hangbisect.watch.core import REMEDY, fault_stack, pattern
from hangbisect.watch.kernel_words import kernel_words
from hangbisect.watch.ladder import Name
from hangbisect.watch.merge import merge

_FIRST_PIDS = 0xEFFFFFFC
"""Inode of the first pid namespace, in which the kernel's log counts (PROC_PID_INIT_INO)."""
Found = tuple[Aftermath, tuple[Gap, ...]]


class Before:
    """What has to be noted before the start. Close it."""

    def __init__(self, proc: Proc | None = None) -> None:
        """Note where the kernel's log ends, and what the control group has counted."""
        self.proc = proc or Proc()
        self._log = KernelLog()
        self._group = memory_group.this_group(self.proc)
        self._kills = memory_group.kills(self._group) if self._group else None
        self._address_space = memory_group.address_space()

    def close(self) -> None:
        """Let go of the kernel's log."""
        self._log.close()

    def memory(self) -> Memory:
        """Say what limits there are, and what the kernel has counted since."""
        group = self._group
        if group is None:
            return Memory(address_space=self._address_space)
        now = memory_group.kills(group)
        return Memory(
            group=group.folder,
            limit=memory_group.limit(group),
            address_space=self._address_space,
            kills=None if now is None or self._kills is None else max(0, now - self._kills),
        )

    def words(self) -> tuple[KernelWord, ...]:
        """Read what the kernel has said of deaths since."""
        return kernel_words(self._log.since()) if not self.why_no_words else ()

    @property
    def why_no_words(self) -> str:
        """Say why the kernel's log tells nothing; "" if it would."""
        if self._log.why:
            return f"/dev/kmsg: {self._log.why}"
        if _pid_namespace() != _FIRST_PIDS:
            return "this container counts processes by other numbers than the kernel's log"
        return ""


def gather(
    before: Before,
    look: Looks,
    record: Record,
    ending: Ending,
    flight: Flight | None,
    question: Question,
    heirs: Sequence[int],
) -> Found:
    """Find what there is about an end that nobody asked for."""
    found = Aftermath(streams=streams(), heirs=tuple(heirs))
    if ending.by_us or ending.asked or (ending.code == 0 and ending.way in ("end", "finished")):
        return found, ()
    words = before.words()
    mine = tuple(word for word in words if word.pid in _tasks(question.root, flight))
    found = replace(
        found,
        memory=before.memory(),
        words=mine,
        is_log_read=not before.why_no_words,
        fallen=_fallen(record, question.root, words),
    )
    if ending.signal:
        found, gaps = _with_core(found, before.proc, look, ending, flight, question)
        return found, (*gaps, *_unread(before, ending, question.root))
    return _with_script(found, look, flight, question)


def _tasks(root: int, flight: Flight | None) -> frozenset[int]:
    """Return the ids that the kernel's log may call the process by: a fault is told of a thread."""
    return frozenset({root, *(span.tid for span in flight.open)} if flight else {root})


def _fallen(record: Record, root: int, words: Sequence[KernelWord]) -> tuple[Fallen, ...]:
    rows = (
        Fallen(
            pid=flight.pid,
            argv=flight.argv,
            words=tuple(word for word in words if word.pid == flight.pid),
            dump=record.dump(flight.pid),
        )
        for flight in record.flights()
        if flight.pid != root
    )
    return tuple(row for row in rows if row.words or row.dump)


def _with_core(
    found: Aftermath,
    proc: Proc,
    look: Looks,
    ending: Ending,
    flight: Flight | None,
    question: Question,
) -> Found:
    if not ending.core or flight is None:
        return found, ()
    wanted = pattern(proc, question.root, flight.cwd)
    if wanted.startswith("|"):
        return replace(found, core=wanted), ()
    facts = _look(look, "core", replace(question, paths=(wanted, flight.executable)))
    stack = fault_stack(facts.threads)
    return replace(
        found,
        core=facts.paths[0].path if facts.paths else "",
        native=tuple(f"{f.symbol or '?'} in {os.path.basename(f.library)}" for f in stack),
        library=stack[0].library if stack else "",
    ), facts.gaps


def _with_script(found: Aftermath, look: Looks, flight: Flight | None, question: Question) -> Found:
    """Read the script where it was left; none is read that was not seen to be left."""
    if flight is None or flight.entry is None or flight.entry_end == "returned":
        return found, ()
    line = (flight.entry.file, flight.entry_line or flight.entry.line)
    facts = _look(look, "script", replace(question, lines=(line,)))
    rows = facts.leavings
    if not flight.entry_exact:  # where it stood is not known: only what the whole script says is
        rows = tuple(Leaving(file=row.file, line=0, names_exit=row.names_exit) for row in rows)
    return replace(found, leaving=rows[0] if rows else None), facts.gaps


def _look(look: Looks, name: Name, question: Question) -> Facts:
    looked = look(name, question)
    parts = [part for part in looked.parts if isinstance(part, Facts)]
    gaps = () if looked.gap is None else (looked.gap,)
    return merge([*parts, Facts(gaps=gaps)])


def _unread(before: Before, ending: Ending, root: int) -> tuple[Gap, ...]:
    """Say what would have told more of this signal."""
    gaps = []
    if ending.signal == "SIGKILL" and before.why_no_words:
        gaps.append(
            Gap(
                what=f"whether the kernel killed process {root} for want of memory",
                why=before.why_no_words,
                remedy="ask the kernel's log of the machine: sudo dmesg | grep -i 'killed process'",
            )
        )
    if ending.dump and not ending.core:
        gaps.append(
            Gap(what="the native stack of the crash", why="no core file was left", remedy=REMEDY)
        )
    return tuple(gaps)


def _pid_namespace() -> int:
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0
