"""Be killed as another process would do it."""

import subprocess
import sys

code = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
subprocess.Popen([sys.executable, "-I", "-c", code]).wait()
