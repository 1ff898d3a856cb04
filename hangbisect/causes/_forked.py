"""Tell a child that is a mere copy of its parent, by fork without exec, from one that was started.

The kernel does not say it. A copy runs the same program with the same command line, and what was
asked to start a program anew has another one, or the probe has come up in it.
"""

from hangbisect.model import Process
from hangbisect.waits import Reading


def copied_from(reading: Reading, pid: int) -> Process | None:
    """Return the parent whose copy a process is, None if it is not one as far as can be seen."""
    child = reading.index.process(pid)
    parent = reading.index.process(child.parent) if child else None
    if child is None or parent is None or not parent.inside:
        return None
    same = bool(parent.argv) and (child.argv, child.executable) == (parent.argv, parent.executable)
    return parent if same else None
