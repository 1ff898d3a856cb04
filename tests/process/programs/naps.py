"""Computes and sleeps by turns, and says how long each sleep took."""

import time

print("ready", flush=True)
while True:
    sum(range(200_000))
    began = time.monotonic()
    time.sleep(0.01)
    print(time.monotonic() - began, flush=True)
