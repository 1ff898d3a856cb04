"""Fork a child that does nothing, then become another Python."""

import os
import sys

pid = os.fork() or os._exit(0)
os.waitpid(pid, 0)
os.execv(sys.executable, [sys.executable, "-c", "import sched"])
