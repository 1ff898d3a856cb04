"""Become another program."""

import os
import sys

os.execv(sys.argv[1], sys.argv[1:])
