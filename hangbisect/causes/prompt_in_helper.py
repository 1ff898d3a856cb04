"""A helper that the program started asks a person, and nobody sees the question.

## What happens

The program waits for a command that it started: git, ssh, a package manager, a keyring. That
command has opened the terminal itself and waits for an answer.

## Why

Helpers ask for passwords, host keys and confirmations on /dev/tty, whatever their input and
output are. The question scrolls away, or goes to a terminal that nobody looks at, and the
program above only seems to hang.

## How it is recognised

The chain from the program's thread leads to another process that reads a terminal.

## How it is proved

A person may answer at any time, so this stays "likely". A run in which the helper may not ask
(GIT_TERMINAL_PROMPT=0, ssh -o BatchMode=yes) fails at once and confirms it.

## Fix

Answer it; or give the credentials beforehand (ssh-agent, a credential helper, a token
variable). Or forbid the question: the helper then fails with a message instead of waiting.

## References

- https://git-scm.com/docs/git#Documentation/git.txt-codeGITTERMINALPROMPTcode
- https://man7.org/linux/man-pages/man4/tty.4.html
"""

from hangbisect.causes._command import name_of, short
from hangbisect.causes._evidence import call_row, process_row, thread_row
from hangbisect.causes._rows import from_afar, ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.causes.child_never_exits import descent
from hangbisect.model import (
    Blocker,
    Certainty,
    Descriptor,
    Evidence,
    Finding,
    Fix,
    Process,
    Thread,
)
from hangbisect.waits import Reading

READS = ("read", "readv", "poll", "ppoll", "select", "pselect6")
FORBID = {
    "git": "GIT_TERMINAL_PROMPT=0",
    "ssh": "ssh -o BatchMode=yes",
    "scp": "scp -B",
    "pip": "pip --no-input",
    "sudo": "sudo -n",
}
"""How to keep a command from asking; what is not listed has the general advice."""


class PromptInHelper(Rule):
    """Another process than the program's own, in a read of a terminal."""

    code = "HB602"
    name = "prompt-in-helper"
    specificity = 60

    def recognise(self, reading: Reading) -> Finding | None:
        """Look along the chain for a helper that reads a terminal."""
        for thread in suspects(reading):
            helper = reading.index.process(thread.pid)
            terminal = _terminal(reading, thread)
            if helper is not None and terminal is not None and _is_helper(reading, helper):
                return self._found(reading, thread, helper, terminal)
        return None

    def _found(
        self, reading: Reading, thread: Thread, helper: Process, terminal: Descriptor
    ) -> Finding:
        name = name_of(helper)
        main = reading.index.thread(reading.main)
        at = where(main) if main else "the program"
        row = descent(reading, main) if main else ()
        asked = row[0] if helper in row else helper
        return self.finding(
            _certainty(reading, thread, row),
            f"{name} (process {helper.pid}), which {at} waits for, asks on the terminal "
            f"{terminal.target} and waits for an answer. It runs as `{short(helper)}`.",
            blocker=Blocker(
                kind="terminal",
                id=terminal.target,
                detail={"helper": name, "pid": helper.pid, "argv": list(helper.argv)},
            ),
            evidence=(
                thread_row(reading, thread),
                call_row(thread),
                process_row(helper),
                Evidence(
                    ref=f"descriptor:{thread.pid}:{terminal.fd}",
                    shows=f"is the terminal {terminal.target}",
                ),
            ),
            fix=Fix(
                summary=f"Answer {name}, or give it beforehand what it asks for.",
                steps=(
                    f"Run it alone to see the question: {short(asked)}",
                    f"Or keep it from asking, so that it fails instead: {_forbid(name)}",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _certainty(reading: Reading, thread: Thread, row: tuple[Process, ...]) -> Certainty:
    """The last of a row of commands that are waited for is as sure as one that is waited for."""
    is_last = bool(row) and row[-1].pid == thread.pid
    return "likely" if is_last else from_afar(reading, thread)


def _forbid(name: str) -> str:
    """Say how to keep a command from asking; git-remote-https is one of git's."""
    known = FORBID.get(name) or FORBID.get(name.partition("-")[0])
    return known or "its option or variable for non-interactive use"


def _is_helper(reading: Reading, process: Process) -> bool:
    """Tell whether a process is another program than the one that is judged."""
    main = reading.index.process(reading.main.pid)
    same = main is not None and (process.argv, process.executable) == (main.argv, main.executable)
    launches = process.pid in reading.snapshot.launchers
    return process.inside and process.pid != reading.main.pid and not same and not launches


def _terminal(reading: Reading, thread: Thread) -> Descriptor | None:
    """Return the terminal that a thread reads without a time limit."""
    call = thread.call
    if call is None or call.name not in READS or call.writes or call.timed:
        return None
    rows = (reading.index.descriptor(thread.pid, fd) for fd in call.descriptors)
    return next((row for row in rows if row is not None and row.kind == "terminal"), None)


cause = PromptInHelper()
