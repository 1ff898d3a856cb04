"""Import a compiled module (built by the test), which the environment tells what to do."""

import colorsys

import perishes

print(colorsys, perishes)
