"""Import for ever."""

import sys

print("ready", flush=True)
while True:
    sys.modules.pop("colorsys", None)
    import colorsys  # noqa: F401
