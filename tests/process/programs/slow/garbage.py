"""Look for garbage among very many objects, again and again."""

import gc
import sys
import time

end = time.monotonic() + float(sys.argv[2])
kept = [[] for _ in range(3_000_000)]
while time.monotonic() < end:
    gc.collect()
