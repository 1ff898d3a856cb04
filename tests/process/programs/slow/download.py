"""Fetch a file from a server that sends a little every other second: the port comes fourth."""

import sys
from urllib.request import urlopen

with urlopen(sys.argv[4]) as answer, open(f"{sys.argv[3]}/weights.bin", "wb", 0) as file:
    while part := answer.read(4096):
        file.write(part)
