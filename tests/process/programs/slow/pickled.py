"""Load a huge pickle."""

import os
import pickle
import sys
import time

path = os.path.join(sys.argv[3], "index.pickle")
PART = pickle.dumps({f"sample {i}": (i, float(i), [i] * 5) for i in range(100_000)})
end = time.monotonic() + float(sys.argv[2])
with open(path, "wb") as file:
    for _ in range(20):
        file.write(PART)
while time.monotonic() < end:
    with open(path, "rb") as file:
        while time.monotonic() < end and file.tell() < os.path.getsize(path):
            pickle.load(file)
os.unlink(path)
