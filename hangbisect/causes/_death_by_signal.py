"""What a signal that ended a program says of its death. Pure."""

from os.path import basename

from hangbisect.causes._death import Death, about_memory, aftermath, leads, memory_rows, word_row
from hangbisect.model import Ending, Evidence

FAULTS = {
    "SIGSEGV": "an access to memory that is not there",
    "SIGBUS": "an access to a mapped file beyond its end, or to memory that fails",
    "SIGILL": "an instruction that this processor does not have",
    "SIGFPE": "a division by zero or the like",
    "SIGABRT": "abort, by which native code gives up",
    "SIGSYS": "a system call that a sandbox forbids",
    "SIGTRAP": "a breakpoint",
}
"""Signals that a process brings upon itself, and what they stand for."""
DUMPED = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT")
"""Those of them at which faulthandler writes the stack, to our file unless the program uses it."""
BY_A_PERSON = ("SIGINT", "SIGQUIT", "SIGTSTP")
_CUT = "  ..."
"""faulthandler ends a stack of 100 frames so."""
_SENDER = "Who sent it cannot be known from outside."
_RUNS_OUT = {
    "SIGXCPU": ("used up its CPU time, ulimit -t", "CPU time"),
    "SIGXFSZ": ("wrote a file longer than its limit, ulimit -f", "file size"),
}
_TIMERS = ("SIGALRM", "SIGVTALRM", "SIGPROF")


def by_signal(ending: Ending) -> Death | None:
    """Say how a signal ended it; None if a person asked for it."""
    signal = ending.signal or ""
    if signal in BY_A_PERSON:
        return None
    if signal in FAULTS:
        return _fault(ending, signal)
    if signal == "SIGKILL" and (death := _for_memory(ending)) is not None:
        return death
    if signal == "SIGPIPE":
        return _unread(ending)
    if signal in _RUNS_OUT:
        says, limit = _RUNS_OUT[signal]
        return Death(
            certainty="likely",
            says=f"was ended by {signal} (it {says})",
            kind="limit",
            id=limit,
            cure=f"Raise the limit of {limit}, or find out what takes so much of it.",
        )
    return _sent(ending, signal)


def may_be_told(ending: Ending) -> bool:
    """Tell whether the program's own faulthandler may have written: then our file stays empty."""
    return ending.signal in DUMPED and not ending.dump and not ending.silent


def _fault(ending: Ending, signal: str) -> Death:
    late = "when its script had come to its end" if ending.entry_end == "returned" else ""
    library = aftermath(ending).library
    has_path = library.startswith("/")
    deep = _CUT in ending.dump and signal == "SIGSEGV"
    return Death(
        certainty="possible" if may_be_told(ending) else "proved",
        says=_fault_says(ending, signal),
        at=late,
        kind="library" if has_path else "signal",
        id=library if has_path else signal,
        cure=_cure(signal, basename(library or _named(ending)), deep=deep),
        evidence=(
            *map(word_row, aftermath(ending).words),
            *(Evidence(ref="native stack", shows=line) for line in aftermath(ending).native[:4]),
            *_depth(deep=deep),
        ),
    )


def _fault_says(ending: Ending, signal: str) -> str:
    """Call it a crash of native code where that was seen: anybody may send such a signal."""
    found = aftermath(ending)
    if found.native or any(word.about == "fault" for word in found.words):
        return f"crashed in native code ({signal}: {FAULTS[signal]})"
    return f"died of {signal} (the signal of {FAULTS[signal]})"


def _cure(signal: str, library: str, *, deep: bool) -> str:
    if deep:
        return "Find what calls itself without an end: the stack may have overflowed."
    if signal == "SIGILL":
        return "Install a build of the library that fits this processor."
    if signal == "SIGABRT":
        return "Read the last lines on stderr: native code mostly says why before it gives up."
    who = library or "the library that the frames name"
    return f"Run the step alone, and update or report {who}."


def _depth(*, deep: bool) -> tuple[Evidence, ...]:
    if not deep:
        return ()
    return (Evidence(ref="faulthandler", shows="the stack is deeper than the 100 frames it shows"),)


def _named(ending: Ending) -> str:
    """Return the library that the kernel's line of the fault names, "" without one."""
    return next((word.library for word in aftermath(ending).words if word.library), "")


def _for_memory(ending: Ending) -> Death | None:
    """Tell a kill by the kernel from others: it named the process, or counted one in the group."""
    word = about_memory(aftermath(ending).words)
    memory = aftermath(ending).memory
    if word is None and not ending.out_of_memory and not (memory and memory.kills):
        return None
    named = word is not None or bool(ending.out_of_memory)
    return Death(
        certainty="proved" if named else "likely",
        says="was killed by the kernel for want of memory (SIGKILL)",
        unknown="" if named else "The count may stand for another process of the group.",
        kind="limit",
        id="memory",
        cure="Use a smaller model or batch, or raise the memory limit.",
        evidence=(*((word_row(word),) if word else ()), *memory_rows(ending)),
    )


def _not_for_memory(ending: Ending) -> tuple[Evidence, ...]:
    if not aftermath(ending).is_log_read:
        return ()
    shows = "read to the end: it names no kill of this process for want of memory"
    return (Evidence(ref="kernel log", shows=shows),)


def _unread(ending: Ending) -> Death:
    """Judge a write that nobody reads; `| head` ends every program so, and is no mishap."""
    ours = "no-reader" in (leads(ending, 1), leads(ending, 2))
    return Death(
        certainty="possible" if ours else "likely",
        says="was ended by SIGPIPE (it wrote to a pipe or socket whose reader is gone)",
        kind="pipe",
        id="stdout" if ours else "SIGPIPE",
        cure="Find out why the reader ended; Python itself would raise BrokenPipeError, "
        "so something has set SIGPIPE back to its default.",
    )


def _sent(ending: Ending, signal: str) -> Death:
    if signal in _TIMERS:
        return Death(
            certainty="likely",
            says=f"was ended by {signal} (a timer sends it, and nothing handled it)",
            kind="signal",
            id=signal,
            cure="Find who sets the timer (signal.alarm, setitimer), and handle its signal.",
        )
    return Death(
        certainty="likely",
        says=f"was ended from outside ({signal})",
        unknown=_SENDER,
        kind="signal",
        id=signal,
        evidence=_not_for_memory(ending) if signal == "SIGKILL" else (),
        cure="Ask what may end programs here: a batch system, a container's limit, the kernel "
        "(sudo dmesg), a service manager, another user.",
    )
