"""Tell a child that is a mere copy of its parent, by fork without exec, from one that was started.

The kernel does not say it. A copy runs the same program with the same command line, which may also
be one that started itself again; and it has its parent's open files.
"""

from hangbisect.model import Process
from hangbisect.waits import Reading

LAST_STANDARD_STREAM = 2


def copied_from(reading: Reading, pid: int) -> Process | None:
    """Return the parent whose copy a process is, None if it is not one as far as can be seen."""
    child = reading.index.process(pid)
    parent = reading.index.process(child.parent) if child else None
    if child is None or parent is None or not parent.inside:
        return None
    same = bool(parent.argv) and (child.argv, child.executable) == (parent.argv, parent.executable)
    return parent if same else None


def shares_descriptors(reading: Reading, child: int, parent: int) -> bool:
    """Tell whether two processes have the same file under the same number, standard streams apart.

    Python opens files so that a started program does not get them: only a copy has them.
    """
    rows = (reading.index.descriptors_of(pid) for pid in (child, parent))
    mine, theirs = ({(row.fd, row.inode, row.device) for row in each if row.inode} for each in rows)
    return any(fd > LAST_STANDARD_STREAM for fd, _, _ in mine & theirs)
