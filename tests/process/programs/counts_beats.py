"""Sleeps in beats and says after each how long it took."""

import time

print("ready", flush=True)
while True:
    began = time.monotonic()
    time.sleep(0.1)
    print("%.4f" % (time.monotonic() - began), flush=True)
