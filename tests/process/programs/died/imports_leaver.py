"""Import a module that leaves with status 0 where its own import fails."""

import colorsys

import hides_error

print(colorsys, hides_error)
