"""A loop goes round and round, and nothing changes.

## What happens

One thread burns a whole processor, and the program prints nothing, reads nothing and does not get
on.

## Why

Code that waits for a flag by looking at it all the time (a device that does not come up, a
variable that another thread should set), or a loop whose condition can never become false.

## How it is recognised

The thread runs; its registers and the memory behind them were read some hundred times and came
to the same few states; its Python stack, with the values of all variables, was the same.

## How it is proved

By a run in which the flag is set or the loop is left out, which must pass. A loop that waits for
a flag ends when somebody sets it, so facts alone make this "likely".

## Fix

Give the loop what it waits for, or an end: a time limit and a word about it. A short sleep in it
costs nothing and leaves the processor to others.

## References

- https://docs.python.org/3/library/threading.html#event-objects
"""

from hangbisect.causes._evidence import frame_row, thread_row
from hangbisect.causes._rows import from_afar, own_frame, ref_of, source_of, suspects, where
from hangbisect.causes._rule import Rule
from hangbisect.causes._stack import Guilty, guilty
from hangbisect.model import Blocker, Certainty, Evidence, Finding, Fix, Repeat, Thread
from hangbisect.waits import Reading, is_in_regex_engine, is_spin


class BusyLoop(Rule):
    """A running thread that comes to no new state."""

    code = "HB105"
    name = "busy-loop"
    specificity = 15

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a running thread whose machine states repeat."""
        for thread in suspects(reading):
            repeat = reading.index.repeat_of(ref_of(thread))
            library = guilty(thread, reading.index.process(thread.pid))
            loads = library is not None and library.constructor
            if repeat is None or not _spins(thread, repeat) or loads:
                continue
            return self._found(reading, thread, repeat, library)
        return None

    def _found(
        self, reading: Reading, thread: Thread, repeat: Repeat, library: Guilty | None
    ) -> Finding:
        frame = own_frame(thread)
        line = source_of(reading.snapshot, frame) if frame else ""
        native = f" in {_function(thread, library)}{library.library}" if library else ""
        said = f" (`{line}`)" if line else ""
        rows = [thread_row(reading, thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            _certainty(reading, thread),
            f"{where(thread)}{said} goes round in a circle{native}: in {repeat.samples} looks only "
            f"{repeat.states} states of the machine were seen.",
            blocker=Blocker(
                kind="library" if library else "file",
                id=library.library if library else frame.file if frame else "unknown",
                detail={
                    "line": frame.line if frame else None,
                    "states": repeat.states,
                    "cpu": thread.cpu,
                },
            ),
            evidence=(*rows, _states(repeat)),
            fix=Fix(
                summary=f"Find out what the loop at {where(thread)} waits for, and give it an end.",
                steps=(
                    "Look at the condition of the loop: who was to change it?",
                    "Give it a time limit, and a short sleep: that costs nothing.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _spins(thread: Thread, repeat: Repeat) -> bool:
    runs = thread.state == "R" or (thread.call is not None and thread.call.name == "running")
    return runs and is_spin(repeat) and not is_in_regex_engine(thread)


def _certainty(reading: Reading, thread: Thread) -> Certainty:
    """Only with the whole patience behind it was the Python stack seen not to change."""
    waited = reading.snapshot.occasion == "patience"
    return from_afar(reading, thread) if waited else "possible"


def _function(thread: Thread, library: Guilty) -> str:
    names = [f.symbol for f in reversed(thread.native) if f.library == library.library and f.symbol]
    return f"{names[0]} of " if names else ""


def _states(repeat: Repeat) -> Evidence:
    shows = (
        f"{repeat.samples} machine states read, {repeat.states} of them different, {repeat.fresh} "
        "new in the later half"
    )
    return Evidence(ref=f"thread:{repeat.tid}", shows=shows)


cause = BusyLoop()
