"""Joins a thread that waits for an event that nobody will set."""

import threading

never = threading.Event()
worker = threading.Thread(target=never.wait, daemon=True)
worker.start()
print("ready", flush=True)
worker.join()
