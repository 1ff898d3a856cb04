"""The terminal stopped the program: it reads, or sets, a terminal from the background.

## What happens

The process is in state T. It was started in the background (`&`, a job of a shell, a script), and
it reads from its terminal or changes the terminal's settings. It uses no CPU and answers to
nothing.

## Why

Only the foreground process group of a terminal may read it. To others the kernel sends SIGTTIN (a
read) or SIGTTOU (settings; output where `stty tostop` is set), which stops the whole group.

## How it is recognised

The process is stopped, its parent was told SIGTTIN or SIGTTOU; or it has a terminal, its group is
not the foreground group of it, and it stands in a call on that terminal.

## How it is proved

By continuing it in the foreground (`fg`), or by a run with standard input from /dev/null. A
stopped process may be continued by anybody, so facts alone make it "likely".

## Fix

Start it with `</dev/null`, or in a session of its own (`setsid`, tmux, nohup with redirected
input), or bring it to the foreground. Without its terminal a program cannot ask questions.

## References

- https://www.gnu.org/software/libc/manual/html_node/Access-to-the-Terminal.html
- https://man7.org/linux/man-pages/man4/tty_ioctl.4.html
"""

from hangbisect.causes._evidence import call_row, process_row
from hangbisect.causes._rows import ref_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.causes._stopped import OF_TERMINAL, is_stopped, stop_signal
from hangbisect.model import Blocker, Evidence, Finding, Fix, Process, Thread
from hangbisect.waits import Reading


class StoppedByTerminal(Rule):
    """A stop by SIGTTIN or SIGTTOU."""

    code = "HB603"
    name = "stopped-by-terminal"
    specificity = 60

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a process that a terminal stopped."""
        for thread in suspects(reading):
            process = reading.index.process(thread.pid)
            if process is None or process.frozen or not is_stopped(thread, process):
                continue
            signal = stop_signal(reading, thread, process)
            if signal in OF_TERMINAL:
                return self._found(reading, thread, process, signal)
        return None

    def _found(self, reading: Reading, thread: Thread, process: Process, signal: str) -> Finding:
        terminal = process.terminal_name or "its terminal"
        call = thread.call.name if thread.call and thread.call.name else "a call"
        does = "reads" if signal == "SIGTTIN" else "sets or writes"
        return self.finding(
            "likely",
            f"The terminal {terminal} stopped process {process.pid} ({signal}): it {does} the "
            f"terminal at {where(thread)} while it runs in the background.",
            blocker=Blocker(
                kind="terminal",
                id=terminal,
                detail={"signal": signal, "call": call, "pid": process.pid},
            ),
            evidence=(
                process_row(process),
                call_row(thread),
                Evidence(
                    ref=f"process:{process.pid}",
                    shows=f"its group is {process.group}, the foreground group of {terminal} is "
                    f"{process.foreground}",
                ),
            ),
            fix=Fix(
                summary="Start it with </dev/null, or bring it to the foreground.",
                steps=(
                    "In the shell that started it: fg",
                    "Next time: python run.py </dev/null & (it can then ask no questions)",
                ),
                change={"stdin": "/dev/null"},
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


cause = StoppedByTerminal()
