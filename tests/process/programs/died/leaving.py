"""Leave at once, as a library may that the script knows nothing of."""

import os


def leave(status):
    os._exit(status)
