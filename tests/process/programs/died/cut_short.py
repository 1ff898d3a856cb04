"""Read a mapped file that was cut off meanwhile."""

import mmap
import tempfile

with tempfile.TemporaryFile() as file:
    file.truncate(8192)
    mapped = mmap.mmap(file.fileno(), 8192)
    file.truncate(0)
    print(mapped[5000])
