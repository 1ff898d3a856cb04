"""Touch memory, page by page, and hardly compute."""

import mmap
import sys
import time

end = time.monotonic() + float(sys.argv[2])
memory = mmap.mmap(-1, 1 << 30)
page = 0
while time.monotonic() < end:
    memory[page % len(memory)] = 1
    page += mmap.PAGESIZE
    time.sleep(0.02)
