"""Take memory until there is none."""

import colorsys

kept = [colorsys]
while True:
    kept.append(bytearray(4 << 20))
