"""Wait for a program that computes and says nothing."""

import subprocess
import sys

COMPUTE = "import sys, time\nend = time.time() + float(sys.argv[1])\nwhile time.time() < end: pass"
subprocess.run([sys.executable, "-I", "-S", "-c", COMPUTE, sys.argv[2]], check=True)
