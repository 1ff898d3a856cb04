"""Waits for an item that nobody will put."""

import queue

jobs = queue.Queue()
print("ready", flush=True)
jobs.get()
