"""Read all over a mapped file that is larger than the memory it may use."""

import mmap
import os
import random
import sys
import time

SIZE = 256 << 20
path = os.path.join(sys.argv[3], "weights")
with open(path, "wb") as file:
    for _ in range(SIZE >> 20):
        file.write(bytes(1 << 20))
    file.flush()
    os.fsync(file.fileno())
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
end = time.monotonic() + float(sys.argv[2])
with open(path, "rb") as file:
    mapped = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    mapped.madvise(mmap.MADV_RANDOM)
    while time.monotonic() < end:
        mapped[random.randrange(SIZE)]
os.unlink(path)
