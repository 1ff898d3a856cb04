"""Nobody listens, so wait before the next attempt."""

import socket
import sys
import time

with socket.socket() as unused:
    unused.bind(("127.0.0.1", 0))
    address = unused.getsockname()
try:
    socket.create_connection(address)
except ConnectionRefusedError:
    time.sleep(float(sys.argv[2]))
