"""Fork, without exec, a child that imports; then import in the parent."""

import os

pid = os.fork()
if pid == 0:
    import tabnanny  # noqa: F401

    os._exit(0)
os.waitpid(pid, 0)
import sched  # noqa: E402, F401
