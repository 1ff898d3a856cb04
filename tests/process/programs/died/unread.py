"""Write to a pipe that nobody reads, with SIGPIPE as C programs have it."""

import os
import signal

signal.signal(signal.SIGPIPE, signal.SIG_DFL)
reading, writing = os.pipe()
os.close(reading)
os.write(writing, b"x")
