"""Call a library that leaves without Python's own end."""

import sys

import leaving

leaving.leave(int(sys.argv[1]))
print("the rest")
