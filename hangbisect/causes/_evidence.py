"""Put a row of the snapshot into a line of evidence that can be checked."""

from hangbisect.causes._rows import place, ref_of, source_of
from hangbisect.model import Evidence, Frame, PathFact, Process, Snapshot, Thread
from hangbisect.waits import Reading


def thread_row(reading: Reading, thread: Thread) -> Evidence:
    """Say what a thread waits in, and whether anybody could end it."""
    wait = reading.waits.get(ref_of(thread))
    said = wait.says if wait and wait.says else _call(thread)
    still = ", and nobody left could wake it" if ref_of(thread) in reading.dead else ""
    return Evidence(ref=f"thread:{thread.tid}", shows=f"{said}{still}")


def call_row(thread: Thread) -> Evidence:
    """Say the system call that a thread is blocked in."""
    return Evidence(ref=f"thread:{thread.tid}", shows=_call(thread))


def frame_row(snapshot: Snapshot, thread: Thread, frame: Frame) -> Evidence:
    """Say where a thread's Python code stands."""
    text = source_of(snapshot, frame)
    shows = f"in {frame.function} at {place(frame)}" + (f": {text}" if text else "")
    return Evidence(ref=f"frame:{thread.tid}:{frame.file}:{frame.line}", shows=shows)


def process_row(process: Process) -> Evidence:
    """Say what a process is and its state."""
    command = " ".join(process.argv) or process.executable or "a process"
    return Evidence(ref=f"process:{process.pid}", shows=f"{command}, state {process.state}")


def path_row(fact: PathFact) -> Evidence:
    """Say what is known of a path."""
    known = "not known" if fact.exists is None else fact.kind if fact.exists else "missing"
    openers = ", ".join(str(pid) for pid in fact.openers) or "nobody that is seen"
    age = f", changed {fact.age:.0f} s ago" if fact.age is not None else ""
    return Evidence(ref=f"path:{fact.path}", shows=f"{known}{age}, open in {openers}")


def _call(thread: Thread) -> str:
    call = thread.call
    if call is None or not call.name:
        return f"state {thread.state}, its system call could not be read"
    if call.name == "running":
        return f"state {thread.state}, running in user space"
    limit = "with a time limit" if call.timed else "without a time limit"
    arguments = ", ".join(hex(a) if a > 4096 else str(a) for a in call.arguments[:4])
    return f"state {thread.state}, in {call.name}({arguments}) {limit}"
