"""Want more address space than there is, with nobody to hear of it."""

import os
import resource

resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
os.close(2)
kept = bytearray(2 << 30)
